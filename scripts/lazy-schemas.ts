import { type ESTree, parseSync, Visitor } from 'vite'

const SCHEMA_NAME = /^[A-Z]\w*Schema(?:\$\d+)?$/
const TABLE_NAME = /Schemas\d*$/
const ZOD = 'z'

type FunctionNode = ESTree.Function | ESTree.ArrowFunctionExpression

/** A module, or a function that declares schemas: where constants are made late. */
interface Scope {
  /** How many functions are around its own statements. */
  readonly depth: number
  readonly lazy: Set<string>
}

/** A name in use, with the scopes around it. */
interface Reference {
  readonly name: string
  readonly span: ESTree.Span
  readonly scopes: readonly Scope[]
}

/** What is put around code, from the inside out where several are put around the same. */
const LAYERS = ['call', 'member', 'table', 'constant'] as const

/** What follows the key when a member written for short, as `{ name }`, is written at length. */
const MEMBER = ': '
const MAKER = ': () => '

interface Insertion {
  readonly at: number
  readonly text: string
  /** Less than 0 behind code, more than 0 in front of it; the nearer to 0, the further from the code. */
  readonly order: number
}

/**
 * Rewrites a module so that each of its zod schemas is made when it is first used:
 * `const FooSchema = z.object({ bar: BarSchema })` becomes
 * `const FooSchema = onFirstUse(() => (z.object({ bar: BarSchema() })))`.
 *
 * So is every other constant made of schemas, at the top of the module and in functions that declare schemas.
 * Members of the objects that such functions return, and of objects named …Schemas, are made one by one.
 *
 * Exported schemas become functions: modules that import them must be rewritten as well. The code must have
 * onFirstUse and eachOnFirstUse (src/on-first-use.ts) in scope, and zod as `z`.
 *
 * @throws Error when the code cannot be parsed, or has a table that is not a plain list of members
 */
export function lazySchemas(file: string, code: string): string {
  const { program, errors } = parseSync(file, code)
  if (errors[0] !== undefined) throw new Error(`${file}: ${errors[0].message}`)

  const insertions: Insertion[] = []
  /** By where they start; a name that stands for a member and its value is there once. */
  const references = new Map<number, Reference>()
  const notReferences = new Set<number>()
  const shorthands = new Map<number, typeof MEMBER | typeof MAKER>()
  const module: Scope = { depth: 0, lazy: new Set() }
  let scopes: readonly Scope[] = [module]
  let depth = 0
  let isMadeOfSchemas = false

  const put = (
    { start, end }: ESTree.Span,
    layer: (typeof LAYERS)[number],
    before: string,
    after: string,
  ) => {
    const distance = LAYERS.length - LAYERS.indexOf(layer)
    insertions.push({ at: start, text: before, order: distance }, { at: end, text: after, order: -distance })
  }
  const isLazy = (name: string, around: readonly Scope[]) => around.some(({ lazy }) => lazy.has(name))
  const enterFunction = (node: FunctionNode): void => {
    depth += 1
    if (declaresSchemas(node)) scopes = [{ depth, lazy: new Set() }, ...scopes]
  }
  const leaveFunction = (): void => {
    if (depth === scopes[0]?.depth) scopes = scopes.slice(1)
    depth -= 1
  }
  const makeMembersLate = (table: ESTree.ObjectExpression): void => {
    put(table, 'table', 'eachOnFirstUse(', ')')
    for (const member of table.properties) {
      if (member.type !== 'Property') throw new Error(`${file}: a table of schemas has a ${member.type}`)
      if (member.shorthand) shorthands.set(member.start, MAKER)
      else put(member.value, 'member', '() => (', ')')
    }
  }

  new Visitor({
    FunctionDeclaration: enterFunction,
    FunctionExpression: enterFunction,
    ArrowFunctionExpression: enterFunction,
    'FunctionDeclaration:exit': leaveFunction,
    'FunctionExpression:exit': leaveFunction,
    'ArrowFunctionExpression:exit': leaveFunction,
    // What classes have in them runs later, or has no name of its own.
    ClassBody() {
      depth += 1
    },
    'ClassBody:exit'() {
      depth -= 1
    },
    ImportSpecifier({ imported, local }) {
      notReferences.add(imported.start).add(local.start)
      if (SCHEMA_NAME.test(local.name)) module.lazy.add(local.name)
    },
    ExportSpecifier({ local, exported }) {
      notReferences.add(local.start).add(exported.start)
    },
    MemberExpression({ computed, property }) {
      if (!computed) notReferences.add(property.start)
    },
    Property({ computed, shorthand, key, value }) {
      if (shorthand && !shorthands.has(key.start)) shorthands.set(key.start, MEMBER)
      if (!shorthand && !computed) notReferences.add(key.start)
      if (isTable(key, value)) makeMembersLate(value)
    },
    ReturnStatement({ argument }) {
      if (depth > 0 && depth === scopes[0]?.depth && argument?.type === 'ObjectExpression')
        makeMembersLate(argument)
    },
    VariableDeclarator({ id, init }) {
      notReferences.add(id.start)
      if (depth !== scopes[0]?.depth) return
      isMadeOfSchemas = false
      if (depth > 0 && isTable(id, init)) makeMembersLate(init)
    },
    'VariableDeclarator:exit'({ id, init }) {
      const [scope] = scopes
      if (!isMadeOfSchemas || depth !== scope?.depth || init === null || id.type !== 'Identifier') return
      scope.lazy.add(id.name)
      put(init, 'constant', '/* @__PURE__ */ onFirstUse(() => (', '))')
    },
    Identifier({ name, start, end }) {
      if (notReferences.has(start)) return
      references.set(start, { name, span: { start, end }, scopes })
      if (depth === scopes[0]?.depth && (name === ZOD || isLazy(name, scopes))) isMadeOfSchemas = true
    },
  }).visit(program)

  for (const [start, { name, span, scopes }] of references) {
    const call = isLazy(name, scopes) ? '()' : ''
    const shorthand = shorthands.get(start)
    if (shorthand === undefined || (shorthand === MEMBER && call === '')) put(span, 'call', '', call)
    else put(span, 'call', '', `${shorthand}${name}${call}`)
  }
  return inserted(code, insertions)
}

function declaresSchemas({ body }: FunctionNode): boolean {
  return (
    body?.type === 'BlockStatement' &&
    body.body.some(
      (statement) =>
        statement.type === 'VariableDeclaration' &&
        statement.declarations.some(({ id }) => id.type === 'Identifier' && SCHEMA_NAME.test(id.name)),
    )
  )
}

function isTable(key: ESTree.Node, value: ESTree.Node | null): value is ESTree.ObjectExpression {
  return key.type === 'Identifier' && TABLE_NAME.test(key.name) && value?.type === 'ObjectExpression'
}

function inserted(code: string, insertions: readonly Insertion[]): string {
  const pieces: string[] = []
  let done = 0
  for (const { at, text } of [...insertions].sort((a, b) => a.at - b.at || a.order - b.order)) {
    pieces.push(code.slice(done, at), text)
    done = at
  }
  return [...pieces, code.slice(done)].join('')
}
