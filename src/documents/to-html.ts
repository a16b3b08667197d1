import type { ChainSnapshot } from './chain-snapshot.ts'
import { readViewPage } from './view-page.ts'

/** The page loads nothing, whatever a thought may contain. */
const POLICY =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

/** The view with a chain in it: one file that a browser opens without a network. */
export async function toHtml(snapshot: ChainSnapshot): Promise<string> {
  // `<` could end the script element that holds the JSON; as an escape it means the same to JSON.
  const json = JSON.stringify(snapshot).replaceAll('<', '\\u003c')
  const policy = `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`
  const page = await readViewPage()
  return page
    .replace(/(?=<title>)/, policy)
    .replace(
      /<title>.*?<\/title>/,
      () => `<title>${escapeHtml(snapshot.opening || 'A chain of thought')}</title>`,
    )
    .replace(/(<script type="application\/json" id="chain">)(?=<\/script>)/, (tag) => `${tag}${json}`)
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
