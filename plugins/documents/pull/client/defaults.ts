/** The defaults. The service fills in those of your account. */
export const defaults = {
  base: "http://127.0.0.1:8080",
  user: "",
  families: [""],
  cookie: "",
  version: "",
}
