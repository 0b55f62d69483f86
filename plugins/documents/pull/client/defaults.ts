/** What is used by default. The service fills in what belongs to your account. */
export const defaults = {
  base: "http://127.0.0.1:8080",
  user: "",
  families: [""],
  cookie: "",
  version: "",
}
