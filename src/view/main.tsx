import { render } from 'preact'
import { Frame } from './frame.tsx'
import { fromSnapshot } from './from-snapshot.ts'
import { Page } from './page.tsx'
import './styles.css'

const root = document.getElementById('root') ?? document.body
// `seqthink-mcp export --format html` puts a chain into the page; a host gets the page without one.
const embedded = document.getElementById('chain')?.textContent?.trim()
render(embedded ? <Page tree={fromSnapshot(embedded)} /> : <Frame parent={window.parent} />, root)
