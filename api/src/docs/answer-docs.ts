import { createOpenApiDocument } from '../openapi/document.ts';
import type { Exchange } from '../exchange.ts';
import { packContent, readPage, readPageFile, type Content } from './content.ts';
import { PAGE_FILES, type PageFile } from './page-files.ts';

/** Allows only this server; Swagger UI sets inline styles and has its icons in data URLs. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const kept = new Map<string, Promise<Content>>();

/** `GET /openapi.json` */
export async function answerOpenApi(exchange: Exchange): Promise<void> {
  const content = await keep('openapi.json', () => packContent(JSON.stringify(createOpenApiDocument())));
  // Public, so that client generators in a browser may read it from any origin.
  exchange.setHeader('access-control-allow-origin', '*');
  send(exchange, content, 'application/json');
}

/** `GET /docs` */
export async function answerDocsPage(exchange: Exchange): Promise<void> {
  const content = await keep('index.html', async () => {
    const files = PAGE_FILES.map(async (file) => [file.name, (await keepFile(file)).version] as const);
    return readPage(new Map(await Promise.all(files)));
  });
  exchange.setHeader('content-security-policy', CONTENT_SECURITY_POLICY);
  exchange.setHeader('referrer-policy', 'no-referrer');
  send(exchange, content, 'text/html; charset=utf-8');
}

/** `GET /docs/{file}` */
export async function answerDocsFile(exchange: Exchange, file: PageFile): Promise<void> {
  send(exchange, await keepFile(file), file.contentType);
}

function keepFile(file: PageFile): Promise<Content> {
  return keep(file.name, () => readPageFile(file));
}

/** Creates the content on first use; a failure is not cached. */
function keep(name: string, make: () => Promise<Content>): Promise<Content> {
  const found = kept.get(name);
  if (found !== undefined) return found;
  const made = make();
  kept.set(name, made);
  made.catch(() => kept.delete(name));
  return made;
}

function send(exchange: Exchange, { bytes, gzipped, version }: Content, contentType: string): void {
  const isVersioned = exchange.query === `?v=${version}`;
  exchange.setHeader('cache-control', isVersioned ? 'public, max-age=31536000, immutable' : 'no-cache');
  exchange.setHeader('vary', 'accept-encoding, origin');
  exchange.setHeader('x-content-type-options', 'nosniff');
  const isGzipWelcome = /\bgzip\b(?!\s*;\s*q=0(?:\.0+)?\s*(?:,|$))/.test(
    exchange.header('accept-encoding') ?? '',
  );
  if (isGzipWelcome) exchange.setHeader('content-encoding', 'gzip');
  exchange.send(200, contentType, isGzipWelcome ? gzipped : bytes);
}
