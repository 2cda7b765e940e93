import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { PageFile } from './page-files.ts';

const compress = promisify(gzip);
const SWAGGER_UI = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const PAGE = path.join(import.meta.dirname, 'page');

/** Content to send, plain and compressed. */
export interface Content {
  bytes: Buffer;
  gzipped: Buffer;
  /** Changes with the bytes. */
  version: string;
}

export async function packContent(text: string | Buffer): Promise<Content> {
  const bytes = Buffer.from(text);
  const version = createHash('sha256').update(bytes).digest('base64url').slice(0, 12);
  return { bytes, gzipped: await compress(bytes), version };
}

export async function readPageFile({ name, isSwaggerUi }: PageFile): Promise<Content> {
  return packContent(await readFile(path.join(isSwaggerUi ? SWAGGER_UI : PAGE, name)));
}

/** Reads the page; its references include a version, so that browsers may cache them forever. */
export async function readPage(versions: ReadonlyMap<string, string>): Promise<Content> {
  const html = await readFile(path.join(PAGE, 'index.html'), 'utf8');
  return packContent(
    html.replaceAll(
      /"docs\/([\w.-]+)"/g,
      (_, name: string) => `"docs/${name}?v=${versions.get(name) ?? ''}"`,
    ),
  );
}
