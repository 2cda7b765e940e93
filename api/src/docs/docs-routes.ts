import type { Exchange } from '../exchange.ts';
import { PAGE_FILES } from './page-files.ts';

const load = () => import('./answer-docs.ts');

/** The description of the API and the page that shows it, by path; loaded when somebody first asks for them. */
export const DOCS_ROUTES: ReadonlyMap<string, (exchange: Exchange) => Promise<void>> = new Map([
  ['/openapi.json', async (exchange) => (await load()).answerOpenApi(exchange)],
  ['/docs', async (exchange) => (await load()).answerDocsPage(exchange)],
  ...PAGE_FILES.map(
    (file) =>
      [
        `/docs/${file.name}`,
        async (exchange: Exchange) => (await load()).answerDocsFile(exchange, file),
      ] as const,
  ),
]);
