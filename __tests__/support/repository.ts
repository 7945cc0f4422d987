import { readdirSync, readFileSync } from 'node:fs'
import { repositoryName } from '../../scripts/repository-name.ts'

export const root = new URL('../../', import.meta.url)
/** `path` is relative to the root. */
export const read = (path: string) => readFileSync(new URL(path, root), 'utf8')
/** `folder` ends in `/`, or is the root. */
export const filesIn = (folder: string) =>
  readdirSync(new URL(folder, root)).map((name) => folder + name)
/** All pages of the documentation. */
export const pages = ['', 'docs/'].flatMap(filesIn).filter((path) => path.endsWith('.md'))

/** The code blocks of a page in this language. */
export const blocksOf = (page: string, language: string) =>
  Array.from(
    read(page).matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'gm')),
    ([, block = '']) => block,
  )

/** All blocks of YAML on the pages. `path` names the page and the block. */
export const yamlOfPages = pages.flatMap((page) =>
  blocksOf(page, 'yaml').map((text, index) => ({ path: `${page}, block ${index + 1}`, text })),
)

/** Steps or jobs with this action. */
export const stepsOfPages = yamlOfPages.filter(({ text }) =>
  text.includes(`uses: ${repositoryName()}@`),
)
