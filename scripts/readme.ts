import { readFile, writeFile } from 'node:fs/promises'
import { renderTables } from './readme-tables.ts'

for (const page of ['README.md', 'docs/reference.md']) {
  const url = new URL(`../${page}`, import.meta.url)
  await writeFile(url, renderTables(await readFile(url, 'utf8')))
}
