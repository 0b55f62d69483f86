import { showNamedAccount } from "./session.js"

showNamedAccount()
