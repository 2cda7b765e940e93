import type { IncomingHttpHeaders } from 'node:http';
import type { TokenUsage } from '@tollgate/core/money/money';
import type { AgentScript } from '../agent-model/agent-script.ts';
import type { CompletionRequest } from './parse-completion-request.ts';

/** The dialects of the fake provider. */
export type FakeDialect = 'openai-chat' | 'anthropic-messages';

/** The statuses with an error body in each dialect. */
export type FakeErrorStatus = 400 | 401 | 403 | 404 | 429 | 500 | 503 | 529;

/** A generated response, in the requested dialect and streaming mode. */
export interface GeneratedAnswer {
  /** One word is one token; a stream carries one word per chunk. Default: a sentence that names the model. */
  text?: string;
  /** Instead of `text`: this many words. */
  words?: number;
  /** Instead of text: a call of the first tool. Default: true if tools are offered and none has a result. */
  callsTool?: boolean;
  /** The end of its ids. Default: always the same. */
  id?: string;
  /** Instead of the counted usage; null: none is reported. */
  usage?: TokenUsage | null;
}

/** A body given as bytes, e.g. a recorded one. */
interface Replay {
  body: Uint8Array | string;
  /** Default: 200. */
  status?: number;
  /** Default: `text/event-stream` for a request with `stream: true`, else `application/json`. */
  contentType?: string;
  headers?: Record<string, string>;
  /** The body's usage, for the record, because the fake does not parse it. */
  usage?: TokenUsage;
}

/** How a body is split into writes: `natural` is one write per SSE event, a number is a size in bytes. */
export type Split = 'natural' | 'burst' | 'every-byte' | number | readonly number[];

/** How a connection breaks: a FIN within the body, a TCP reset, or a clean end of an incomplete body. */
export type Break = 'close' | 'reset' | 'clean-end';

/**
 * Handling of one request: at most one of `answer`, `agent`, `replay`, `error` and `garbage` sets the response (default:
 * generated), the rest its delivery.
 */
export interface Script {
  answer?: GeneratedAnswer;
  /** An agent's model, for a standing order: continues a conversation, and refuses what its provider would refuse. */
  agent?: AgentScript;
  replay?: Replay;
  error?: { status: FakeErrorStatus; retryAfterSeconds?: number };
  /** This many bytes of invalid JSON, SSE and UTF-8, with the expected content type. */
  garbage?: number;
  /** This many bytes of the response, then 200 garbage bytes instead of the rest. */
  garbageAfterBytes?: number;
  /** Replaces the correct content type. */
  contentType?: string;

  /** Delay before the status line. */
  headersDelayMs?: number;
  /** Delay between the headers and the first body byte. */
  firstByteDelayMs?: number;
  /** Sends the status line only after this. */
  headersAfter?: Promise<void>;
  /** Sends the first body byte only after this. */
  firstByteAfter?: Promise<void>;
  split?: Split;
  /** Interval between writes: `{ split: 3, intervalMs: 10 }` trickles, 20 sends 50 chunks a second. */
  intervalMs?: number;

  /** The connection breaks before the status line. */
  cutBeforeHeaders?: true;
  /** The connection breaks after exactly this many body bytes. */
  cutAfterBytes?: number;
  /** The connection breaks after this many pieces (events of a stream): -1 is all but the last. */
  cutAfterPieces?: number;
  /** How `cutBeforeHeaders`, `cutAfterBytes` and `cutAfterPieces` break. Default: `close`. */
  cutBy?: Break;
  /** Never responds; the connection stays open. */
  stallBeforeHeaders?: true;
  /** Stalls after this many body bytes with an open connection; a negative number counts from the end. */
  stallAfterBytes?: number;
  /** Stalls after this many pieces (events of a stream): -1 is all but the last. */
  stallAfterPieces?: number;
  /** How long it stalls before it closes the connection. Default: until the client disconnects. */
  stallMs?: number;
}

/** Creates a script for each request, for a standing order. */
export type ScriptWriter = (request: CompletionRequest, headers: IncomingHttpHeaders) => Script;

/** Filter of a script's requests; all given fields must match. */
export interface Match {
  /** The `model` of the body. */
  model?: string | RegExp;
  /** The path without its query. */
  path?: string | RegExp;
  /** Request headers, names in lower case. */
  headers?: Record<string, string | RegExp>;
}

interface Matchable {
  request: CompletionRequest;
  path: string;
  headers: IncomingHttpHeaders;
}

/** A provider's scripts: a queue of single-use scripts, then standing orders. */
export interface ScriptBook {
  next(script: Script, match?: Match): void;
  always(script: Script | ScriptWriter, match?: Match): void;
  reset(): void;
  /** Takes the oldest matching queued script, else the newest standing order, else the default. */
  take(matchable: Matchable): Script;
}

export function createScriptBook(): ScriptBook {
  let queue: { script: Script; match: Match }[] = [];
  let standing: { script: Script | ScriptWriter; match: Match }[] = [];
  return {
    next: (script, match = {}) => void queue.push({ script, match }),
    always: (script, match = {}) => void standing.unshift({ script, match }),
    reset() {
      queue = [];
      standing = [];
    },
    take(matchable) {
      const index = queue.findIndex(({ match }) => fits(match, matchable));
      if (index !== -1) return queue.splice(index, 1)[0]?.script ?? {};
      const script = standing.find(({ match }) => fits(match, matchable))?.script ?? {};
      return typeof script === 'function' ? script(matchable.request, matchable.headers) : script;
    },
  };
}

function fits(match: Match, { request, path, headers }: Matchable): boolean {
  return (
    isLike(match.model, request.model) &&
    isLike(match.path, path) &&
    Object.entries(match.headers ?? {}).every(([name, wanted]) =>
      isLike(wanted, [headers[name] ?? null].flat().join(', ')),
    )
  );
}

function isLike(wanted: string | RegExp | undefined, actual: string | null): boolean {
  if (wanted === undefined) return true;
  if (actual === null) return false;
  return typeof wanted === 'string' ? wanted === actual : wanted.test(actual);
}
