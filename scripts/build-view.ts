import { join, relative } from 'node:path'
import { build, type Plugin } from 'vite'
import { viteSingleFile } from 'vite-plugin-singlefile'

const MAX_BYTES = 80 * 1024

/** Browsers that have `light-dark()`, so that it is left as it is written. */
const BROWSERS = ['chrome123', 'edge123', 'firefox120', 'safari17.5']

/**
 * @returns the view as one HTML file, and the files of packages that it contains code of, relative to `root`
 * @throws Error when it is more than one file, or a large one
 */
export async function buildView(root: string): Promise<{ html: string; packageFiles: string[] }> {
  const packageFiles: string[] = []
  const collect: Plugin = {
    name: 'collect-package-files',
    generateBundle(_, bundle) {
      for (const output of Object.values(bundle)) {
        if (output.type !== 'chunk') continue
        for (const [id, { renderedLength }] of Object.entries(output.modules)) {
          if (renderedLength > 0 && id.includes('/node_modules/')) packageFiles.push(relative(root, id))
        }
      }
    },
  }
  const built = await build({
    root: join(root, 'src/view'),
    configFile: false,
    logLevel: 'warn',
    plugins: [collect, viteSingleFile()],
    build: { write: false, target: BROWSERS, modulePreload: false },
  })
  const [page, ...others] = [built].flat().flatMap((bundle) => ('output' in bundle ? bundle.output : []))
  if (page?.type !== 'asset' || others.length > 0) throw new Error('The view was not built into one file.')
  const html = String(page.source)
  const bytes = Buffer.byteLength(html)
  if (bytes > MAX_BYTES) throw new Error(`The view has ${bytes} bytes, more than ${MAX_BYTES}.`)
  return { html, packageFiles }
}
