import type { TokenUsage } from '@tollgate/core/money/money';
import type { AgentScript } from '../agent-model/agent-script.ts';
import type { CompletionRequest } from './parse-completion-request.ts';

/** The wire formats that the fake provider speaks. */
export type FakeDialect = 'openai-chat' | 'anthropic-messages';

/** The statuses for which the fake has a body of each dialect. */
export type FakeErrorStatus = 400 | 401 | 403 | 404 | 429 | 500 | 503 | 529;

/** An answer that the fake composes itself, in the dialect and with the streaming that were asked for. */
export interface GeneratedAnswer {
  /** One word is one token; a stream carries one word per chunk. Default: a sentence that names the model. */
  text?: string;
  /** In place of `text`: that many words. */
  words?: number;
  /** In place of text: a call of the first tool offered. Default: where tools are offered and none was answered. */
  callsTool?: boolean;
  /** In place of the counted usage; null: the provider reports none. */
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
  /** What the body reports, for the record; the fake does not read the body. */
  usage?: TokenUsage;
}

/** How a body is split into writes: `natural` is one write per SSE event, a number is a size in bytes. */
export type Split = 'natural' | 'burst' | 'every-byte' | number | readonly number[];

/** How a connection breaks: a FIN inside the body, a TCP reset, or a clean end of a body that is not whole. */
export type Break = 'close' | 'reset' | 'clean-end';

/**
 * What happens to one request: at most one of `answer`, `agent`, `replay`, `error` and `garbage` says what is answered
 * (none: a generated answer), the rest says how it is delivered.
 */
export interface Script {
  answer?: GeneratedAnswer;
  /** The model of an agent, for a standing order: it plays a conversation, and refuses what its provider would refuse. */
  agent?: AgentScript;
  replay?: Replay;
  error?: { status: FakeErrorStatus; retryAfterSeconds?: number };
  /** That many bytes that are neither JSON nor SSE nor UTF-8, under the content type that was to be expected. */
  garbage?: number;
  /** That many bytes of the answer, and 200 of that kind behind them in place of the rest. */
  garbageAfterBytes?: number;
  /** Sent in place of the right content type. */
  contentType?: string;

  /** Silence before the status line. */
  headersDelayMs?: number;
  /** Silence between the headers and the first byte of the body. */
  firstByteDelayMs?: number;
  split?: Split;
  /** Time from one write to the next: `{ split: 3, intervalMs: 10 }` trickles, 20 makes 50 chunks a second. */
  intervalMs?: number;

  /** The connection breaks before the status line. */
  cutBeforeHeaders?: true;
  /** The connection breaks when exactly that many bytes of the body were sent. */
  cutAfterBytes?: number;
  /** How `cutBeforeHeaders` and `cutAfterBytes` break. Default: `close`. */
  cutBy?: Break;
  /** Nothing is ever answered, the connection stays open. */
  stallBeforeHeaders?: true;
  /** Nothing follows that many bytes of the body, the connection stays open; a negative number leaves so many out. */
  stallAfterBytes?: number;
  /** The same in pieces as the provider writes them, one an event of a stream: -1 is all but the last one. */
  stallAfterPieces?: number;
}

/** Writes a script when it has seen the request, for a standing order. */
export type ScriptWriter = (request: CompletionRequest) => Script;

/** Which requests a script is for; every field given must fit. */
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
  headers: Record<string, string | string[] | undefined>;
}

/** The scripts of a provider: a queue that is used up, and standing orders below it. */
export interface ScriptBook {
  next(script: Script, match?: Match): void;
  always(script: Script | ScriptWriter, match?: Match): void;
  reset(): void;
  /** Takes the oldest queued script that fits, else the newest standing one, else the plain answer. */
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
      return typeof script === 'function' ? script(matchable.request) : script;
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
