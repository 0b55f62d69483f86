import { offerCopies } from "./copy.js"
import { showNamedAccount } from "./session.js"

offerCopies()
showNamedAccount()
