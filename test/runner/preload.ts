// Loaded before a test file.
import asyncHooks from "node:async_hooks"
import { syncBuiltinESMExports } from "node:module"

// Tap follows each promise with an asynchronous hook, to assign errors that nobody awaits to a test. That
// takes a third of the walks' time. Without the hooks, such an error ends the test file, which then counts
// as failed.
const idle: asyncHooks.AsyncHook = { enable: () => idle, disable: () => idle }
Object.assign(asyncHooks, { createHook: () => idle })
syncBuiltinESMExports()
