import type { Exchange } from '../exchange.ts';
import { PAGE_FILES } from './page-files.ts';

const load = () => import('./answer-docs.ts');

/** The API description and the page that shows it, by path; loaded on first use. */
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
