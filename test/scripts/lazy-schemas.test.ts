import { expect, test } from 'vitest'
import { lazySchemas } from '../../scripts/lazy-schemas.ts'

const rewritten = (code: string) => lazySchemas('sample.mjs', code)

test('makes a schema when it is first used, and calls it wherever it is used', () => {
  expect(
    rewritten(`
const FooSchema = z.object({ a: z.string() });
const BarSchema$1 = FooSchema.extend({ b: z.array(FooSchema) });
const isBar = (value) => BarSchema$1.safeParse(value).success;
export { FooSchema, BarSchema$1 as BarSchema };
`),
  ).toBe(`
const FooSchema = /* @__PURE__ */ onFirstUse(() => (z.object({ a: z.string() })));
const BarSchema$1 = /* @__PURE__ */ onFirstUse(() => (FooSchema().extend({ b: z.array(FooSchema()) })));
const isBar = (value) => BarSchema$1().safeParse(value).success;
export { FooSchema, BarSchema$1 as BarSchema };
`)
})

test('lets a schema refer to itself', () => {
  expect(rewritten('const TreeSchema = z.lazy(() => z.array(TreeSchema));')).toBe(
    'const TreeSchema = /* @__PURE__ */ onFirstUse(() => (z.lazy(() => z.array(TreeSchema()))));',
  )
})

test('calls imported schemas, and makes late what is made of them', () => {
  expect(
    rewritten(`
import { a as FooSchema, limit } from './schemas.mjs';
const KEYS = new Set(Object.keys(FooSchema.shape));
const names = { FooSchema };
const MAX = limit + 1;
const isKey = (key) => KEYS.has(key) && key.FooSchema !== names;
`),
  ).toBe(`
import { a as FooSchema, limit } from './schemas.mjs';
const KEYS = /* @__PURE__ */ onFirstUse(() => (new Set(Object.keys(FooSchema().shape))));
const names = /* @__PURE__ */ onFirstUse(() => ({ FooSchema: FooSchema() }));
const MAX = limit + 1;
const isKey = (key) => KEYS().has(key) && key.FooSchema !== names();
`)
})

test('leaves alone what only has schemas inside functions and classes', () => {
  const code = (schema: string) => `
import { FooSchema } from './schemas.mjs';
var Server = class extends Base {
  levels = ${schema}.options;
  check(value) { return ${schema}.parse(value); }
};
const all = names({ foo: () => ${schema} });
`
  expect(rewritten(code('FooSchema'))).toBe(code('FooSchema()'))
})

test('makes the members of a table one by one', () => {
  expect(
    rewritten(`
function build() {
  const FooSchema = z.string();
  const shape = { foo: FooSchema };
  const helper = (value) => z.object({ value });
  const requestSchemas = { "a/b": helper(FooSchema), c: helper({ ...shape }) };
  return { FooSchema, bar: z.array(FooSchema), helper, requestSchemas };
}
function maps() {
  const made = build();
  return { resultSchemas: { "a/b": made.FooSchema } };
}
`),
  ).toBe(`
function build() {
  const FooSchema = /* @__PURE__ */ onFirstUse(() => (z.string()));
  const shape = /* @__PURE__ */ onFirstUse(() => ({ foo: FooSchema() }));
  const helper = (value) => z.object({ value });
  const requestSchemas = /* @__PURE__ */ onFirstUse(() => (eachOnFirstUse({ "a/b": () => (helper(FooSchema())), c: () => (helper({ ...shape() })) })));
  return eachOnFirstUse({ FooSchema: () => FooSchema(), bar: () => (z.array(FooSchema())), helper: () => helper, requestSchemas: () => requestSchemas() });
}
function maps() {
  const made = build();
  return { resultSchemas: eachOnFirstUse({ "a/b": () => (made.FooSchema) }) };
}
`)
})

test('changes nothing where there is no schema', () => {
  const code = 'const { a, b } = c; export const sum = { a, b };'
  expect(rewritten(code)).toBe(code)
})

test('names the file that it cannot read', () => {
  expect(() => rewritten('const FooSchema = ;')).toThrow('sample.mjs')
})
