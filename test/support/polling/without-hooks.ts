// To be imported before tap. Tap follows each promise by an asynchronous hook, so that it can tell to
// which test an error belongs that nobody awaits. That takes a third of the time of the walks. Without
// it, such an error ends the test file, which then counts as failed.
import asyncHooks from "node:async_hooks"
import { syncBuiltinESMExports } from "node:module"

const idle: asyncHooks.AsyncHook = { enable: () => idle, disable: () => idle }
Object.assign(asyncHooks, { createHook: () => idle })
syncBuiltinESMExports()
