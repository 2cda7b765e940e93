import { Buffer } from 'node:buffer';
import type { Result } from '@tollgate/core/errors/errors';
import { findHistoryMarks } from '@tollgate/dialects/history/fit-history';
import { readMemberPlaces } from '@tollgate/dialects/json/member-places';
import { joinHistory } from '../../stored/join-history.ts';
import { readAddedItems } from '../../conversations/added-items.ts';
import { listContinuedMessages, writeSummaryRequest } from '../../compaction/summary-request.ts';
import { removeItem } from '../../conversations/remove-item.ts';
import { readState } from '../../stored/state-members.ts';
import { writeList } from '../../stored/write-page.ts';
import { describeBody } from '../describe-body.ts';
import { readTurn } from '../../websocket/read-turn.ts';
import { expandBody } from '../expand-body.ts';
import { HISTORY_DIALECTS } from '../history-dialects.ts';
import { boundMembers } from './bound-members.ts';
import { freeMemory } from './free-memory.ts';
import { packTexts } from './packed-texts.ts';
import { parseBody, type Endpoint, type ParsedBody } from '../parse-body.ts';
import { runMarkJob } from './run-mark-job.ts';
import { runReadJob } from './run-read-job.ts';
import { translateBody } from './translate-body.ts';
import type {
  AnyAnswer,
  BodyJob,
  DescribeJob,
  JoinAnswer,
  JoinJob,
  PackedDescription,
  PageAnswer,
  ParseAnswer,
  SummaryAnswer,
  SummaryJob,
  TurnAnswer,
} from './body-job.ts';

/** Runs a job in the calling thread. */
export function runBodyJob(job: BodyJob): AnyAnswer {
  if (job.kind === 'read') return runReadJob(job);
  if (job.kind === 'mark') return runMarkJob(job);
  const { body } = job;
  const json = asBuffer(body);
  if (job.kind === 'describe') return { described: describe(job, json) };
  if (job.kind === 'parse') {
    return parse(job.endpoint, json, body);
  }
  if (job.kind === 'turn') return readMessage(json, body);
  if (job.kind === 'state') return { body, state: readState(json) };
  if (job.kind === 'join') return join(json, job);
  if (job.kind === 'page') {
    return giveOrNone(writeList(json, job.source, job.query), body);
  }
  if (job.kind === 'remove') return giveOrNone(removeItem(json, job.partId, job.itemId), body);
  if (job.kind === 'summary') return writeSummary(json, job);
  if (job.kind === 'added') {
    const added = readAddedItems(json);
    const items = added.ok && added.value.items !== null ? new Uint8Array(added.value.items) : null;
    freeMemory(body);
    return {
      body: items ?? new Uint8Array(0),
      added: added.ok ? { ok: true, value: { ...added.value, items: null } } : added,
    };
  }
  return { body, prepared: translateBody(job.from, json, job.targets) };
}

/** The buffers to transfer to the thread with a job. */
export function getTransfers(job: BodyJob): ArrayBuffer[] {
  if (job.kind === 'read') return job.pieces.map(({ buffer }) => buffer);
  const history = job.kind === 'join' ? job.history.map(({ bytes }) => bytes) : [];
  return [job.body, ...history].map(({ buffer }) => buffer);
}

/** The buffers to transfer back with an answer. */
export function listTransfers(answer: AnyAnswer): ArrayBuffer[] {
  if ('pieces' in answer) return answer.pieces.map(({ buffer }) => buffer);
  if ('described' in answer)
    return answer.described.ok
      ? [answer.described.value.texts.ends.buffer, answer.described.value.schemas.ends.buffer]
      : [];
  const transfers = [answer.body.buffer];
  if ('joined' in answer && answer.joined.ok && answer.joined.value.own !== null)
    transfers.push(answer.joined.value.own.buffer);
  if ('summary' in answer && answer.summary.ok) transfers.push(answer.summary.value.kept.buffer);
  if ('prepared' in answer && answer.prepared.ok)
    for (const { encoded } of answer.prepared.value.translations)
      if (encoded.ok) transfers.push(encoded.value.body.buffer);
  return transfers;
}

function writeSummary(json: Buffer, { isContinued, body: given }: SummaryJob): SummaryAnswer {
  if (isContinued) {
    const messages = new Uint8Array(listContinuedMessages(json));
    return { body: given, summary: { ok: true, value: { kept: messages } } };
  }
  const written = writeSummaryRequest(json);
  // A copy: an invalid body is returned as it is.
  const body = new Uint8Array(written.ok ? written.value.body : []);
  const kept = new Uint8Array(written.ok ? written.value.kept : []);
  freeMemory(given);
  return { body, summary: written.ok ? { ok: true, value: { kept } } : written };
}

function giveOrNone(found: Buffer | null, body: Uint8Array<ArrayBuffer>): PageAnswer {
  freeMemory(body);
  return { body: found === null ? new Uint8Array(0) : new Uint8Array(found), isFound: found !== null };
}

function describe({ endpoint, model }: DescribeJob, json: Buffer): Result<PackedDescription> {
  const described = describeBody(endpoint, json, model);
  if (!described.ok) return described;
  const { input, ...flags } = described.value;
  const { texts, schemas, ...counts } = input;
  return {
    ok: true,
    value: { ...flags, input: counts, texts: packTexts(texts), schemas: packTexts(schemas) },
  };
}

function readMessage(message: Buffer, own: TurnAnswer['body']): TurnAnswer {
  const { body, ...read } = readTurn(message);
  if (body === message) return { ...read, body: own };
  freeMemory(own);
  return { ...read, body: new Uint8Array(body) };
}

function join(body: Buffer, { history, wantsOwn, body: given }: JoinJob): JoinAnswer {
  const parts = history.map(({ kind, bytes }) => ({ kind, bytes: asBuffer(bytes) }));
  const joined = joinHistory(body, parts, wantsOwn);
  const whole = joined.ok ? new Uint8Array(joined.value.body) : new Uint8Array(0);
  const own = joined.ok && joined.value.own !== null ? new Uint8Array(joined.value.own) : null;
  for (const bytes of [given, ...history.map((part) => part.bytes)]) freeMemory(bytes);
  return { body: whole, joined: joined.ok ? { ok: true, value: { own } } : joined };
}

function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array<ArrayBuffer>): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

function parse(endpoint: Endpoint, json: Buffer, body: ParseAnswer['body']): ParseAnswer {
  const expanded = expandBody(endpoint, json);
  const isSame = expanded.ok && expanded.value === json;
  const whole = expanded.ok && !isSame ? new Uint8Array(expanded.value) : body;
  const parsed = expanded.ok ? parseWhole(endpoint, isSame ? json : Buffer.from(whole.buffer)) : expanded;
  if (parsed.ok && isSame) return { body, parsed };
  freeMemory(body);
  // Freed memory cannot be transferred.
  return { body: parsed.ok ? whole : new Uint8Array(0), parsed };
}

function parseWhole(endpoint: Endpoint, json: Buffer): Result<ParsedBody> {
  const parsed = parseBody(endpoint, json);
  if (!parsed.ok) return parsed;
  const bounded = boundMembers(parsed.value.classified);
  if (!bounded.ok) return bounded;
  return { ok: true, value: { ...parsed.value, ...indexBody(endpoint, json, parsed.value) } };
}

/** What would take long to find in a large body on the event loop. */
function indexBody(
  endpoint: Endpoint,
  json: Buffer,
  { places, historyMarks }: ParsedBody,
): Pick<ParsedBody, 'places' | 'historyMarks'> {
  const dialect = HISTORY_DIALECTS[endpoint];
  return {
    places: places ?? readMemberPlaces(json),
    historyMarks: historyMarks ?? (dialect === null ? [] : findHistoryMarks(json, dialect)),
  };
}
