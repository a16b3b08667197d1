import { readFile, writeFile } from 'node:fs/promises'
import { renderTables } from './readme-tables.ts'

const README = new URL('../README.md', import.meta.url)

await writeFile(README, renderTables(await readFile(README, 'utf8')))
