// Takes the place of `@modelcontextprotocol/server/_shims` in the bundle (see scripts/build.ts). The SDK's own
// brings a JSON Schema validator of 230 KB, which it uses for answers to elicitation requests only; this server
// sends none, so it need not load one at every start.

// The global is the same object; importing the module would load all that hangs on it.
export const process = globalThis.process

/** @throws Error whenever it is used */
export class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new Error('This server validates no JSON Schema; it sends no elicitation requests.')
  }
}
