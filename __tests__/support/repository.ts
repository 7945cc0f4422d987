/** What is in the repository. */
import { readdirSync, readFileSync } from 'node:fs'
import { repositoryName } from '../../scripts/repository-name.ts'

export const root = new URL('../../', import.meta.url)
/** The path is that below the root. */
export const read = (path: string) => readFileSync(new URL(path, root), 'utf8')
/** `folder` ends in `/`, or is the root. */
export const filesIn = (folder: string) =>
  readdirSync(new URL(folder, root)).map((name) => folder + name)
/** The pages of the documentation. */
export const pages = ['', 'docs/'].flatMap(filesIn).filter((path) => path.endsWith('.md'))

/** What a page shows in this language. */
export const blocksOf = (page: string, language: string) =>
  Array.from(
    read(page).matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'gm')),
    ([, block = '']) => block,
  )

/** Every block of YAML on the pages. `path`: of the page, and which of its blocks. */
export const yamlOfPages = pages.flatMap((page) =>
  blocksOf(page, 'yaml').map((text, index) => ({ path: `${page}, block ${index + 1}`, text })),
)

/** The steps, or jobs, with this action. */
export const stepsOfPages = yamlOfPages.filter(({ text }) =>
  text.includes(`uses: ${repositoryName()}@`),
)
