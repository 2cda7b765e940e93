import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { FakeDialect } from './fake-provider/script.ts';
import { parseRecordingMeta, type RecordedDialect } from './recordings-meta.ts';

/** One exchange with a provider: request and response. */
export interface RecordedCase<D extends RecordedDialect = FakeDialect> {
  /** `<provider>/<case>`, e.g. `openai/chat-text`. */
  name: string;
  dialect: D;
  /** null: the source has only the response. */
  request: { body: Buffer; json: Record<string, unknown> } | null;
  responseBody: Buffer;
  isStream: boolean;
  status: number;
  /** Lower-case names; some sources have none. */
  responseHeaders: Record<string, string>;
  /** The features of the case: `tool-call`, `mid-stream-error`. */
  covers: string[];
}

export interface RecordingSet<D extends RecordedDialect = FakeDialect> {
  /** `fixtures`: the project's own cases, if no recordings exist. */
  source: 'recordings' | 'fixtures';
  directory: string;
  cases: RecordedCase<D>[];
}

const FAKE_DIALECTS: readonly FakeDialect[] = ['openai-chat', 'anthropic-messages'];

const REPOSITORY = path.resolve(import.meta.dirname, '../../..');
const FIXTURES = path.resolve(import.meta.dirname, '../fixtures');
const BODY_FILES = ['response.json', 'response.sse', 'response.txt'];

/**
 * Loads the recorded traffic of the fake provider's dialects from `RECORDINGS_DIR` or `../shared/recordings` next to the
 * repository, otherwise the project's own fixtures.
 * @throws Error if `RECORDINGS_DIR` is set and is not a folder, or a case lacks a file
 */
export function loadRecordings(): RecordingSet {
  return loadDialectRecordings(FAKE_DIALECTS);
}

/** Like {@link loadRecordings}, for the given dialects. */
export function loadDialectRecordings<D extends RecordedDialect>(dialects: readonly D[]): RecordingSet<D> {
  const named = process.env.RECORDINGS_DIR;
  const directory = path.resolve(REPOSITORY, named ?? '../shared/recordings');
  if (existsSync(directory))
    return { source: 'recordings', directory, cases: readCases(directory, dialects) };
  if (named !== undefined) throw new Error(`RECORDINGS_DIR is ${named}, which is no folder`);
  return { source: 'fixtures', directory: FIXTURES, cases: readCases(FIXTURES, dialects) };
}

/** The project's own cases, in the same layout. */
export function loadFixtures(): RecordingSet {
  return loadDialectFixtures(FAKE_DIALECTS);
}

/** Like {@link loadFixtures}, for the given dialects. */
export function loadDialectFixtures<D extends RecordedDialect>(dialects: readonly D[]): RecordingSet<D> {
  return { source: 'fixtures', directory: FIXTURES, cases: readCases(FIXTURES, dialects) };
}

/** One line that names the traffic of a test. */
export function describeRecordings(set: RecordingSet<RecordedDialect>): string {
  const streams = set.cases.filter((found) => found.isStream).length;
  const counts = `${set.cases.length} exchanges, ${streams} of them streams`;
  return set.source === 'recordings'
    ? `Recorded traffic: ${counts}`
    : `No recorded traffic here (RECORDINGS_DIR): running on the project's own fixtures, ${counts}`;
}

function readCases<D extends RecordedDialect>(directory: string, dialects: readonly D[]): RecordedCase<D>[] {
  const names = getFolders(directory).flatMap((provider) =>
    getFolders(path.join(directory, provider)).map((name) => `${provider}/${name}`),
  );
  return names.flatMap((name) => readCase({ directory, name, dialects }));
}

function getFolders(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .toSorted();
}

/** @returns an empty list for other dialects */
function readCase<D extends RecordedDialect>({
  directory,
  name,
  dialects,
}: {
  directory: string;
  name: string;
  dialects: readonly D[];
}): RecordedCase<D>[] {
  const folder = path.join(directory, name);
  const meta = parseRecordingMeta(readFileSync(path.join(folder, 'meta.json'), 'utf8'));
  const dialect = dialects.find((known) => known === meta.dialect);
  if (dialect === undefined) return [];
  const bodyFile = BODY_FILES.map((file) => path.join(folder, file)).find((file) => existsSync(file));
  if (bodyFile === undefined) throw new Error(`The recording ${name} has no response`);
  const requestFile = path.join(folder, 'request.json');
  return [
    {
      name,
      dialect,
      request: existsSync(requestFile) ? readRequest(requestFile) : null,
      responseBody: readFileSync(bodyFile),
      isStream: meta.isStream,
      status: meta.status,
      responseHeaders: meta.responseHeaders,
      covers: meta.covers,
    },
  ];
}

function readRequest(file: string): RecordedCase['request'] {
  const body = readFileSync(file);
  return { body, json: JSON.parse(body.toString('utf8')) };
}
