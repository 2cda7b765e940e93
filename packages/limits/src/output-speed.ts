import { TYPICAL_TOKENS_PER_SECOND as FIRST_GUESS } from '@tollgate/core/models/typical-speed';

const MAX_MODELS = 1000;
/** Accounts whose recent responses count for a model; the least recently used is evicted first. */
const MAX_ACCOUNTS = 32;
/** Minimum number of accounts for the median, which one account can move only to the next account's speed. */
const FEWEST_ACCOUNTS = 3;
/** Weight of the latest response in the running average. */
const LATEST = 0.2;
/** Shorter responses do not show a model's speed. */
const FEWEST_TOKENS = 16;
const SHORTEST_MS = 50;
/** A smaller share counts as estimation error of visible text, not as hidden reasoning. */
const FEWEST_HIDDEN = 0.25;
/** Maximum factor between the default speed and the speeds from only one or two other accounts. */
const BELIEVED_FACTOR = 4;
/** Faster than any provider. */
const MAX_TOKENS_PER_SECOND = 5_000;
/** Silence before the first text that needs no explanation, in ms and as a multiple of the model's usual silence. */
const QUIET_MS = 1_000;
const QUIET_FACTOR = 2;

/**
 * Whether a response may contain hidden reasoning, by its request and the facts of its model: `on`, the request asks for it
 * or the model does it by default; `off`, the request turns it off; `none`, the model does not reason; `unknown`.
 */
export type ReasoningMode = 'on' | 'off' | 'none' | 'unknown';

/** A complete response with reported usage. */
export interface OutputSample {
  model: string;
  mode: ReasoningMode;
  outputTokens: number;
  /** Estimated tokens of the visible text. */
  visibleTokens: number;
  /** As reported by the provider; null: not reported. */
  reasoningTokens: number | null;
  /** Time from the provider request to the end of the response. */
  durationMs: number;
  /** Time from the provider request to the first text; null: not streamed. */
  silentMs: number | null;
}

/** A truncated response. */
export interface CutAnswer {
  model: string;
  mode: ReasoningMode;
  /** Tokens of its visible part. */
  visibleTokens: number;
  /** Time from the provider request to the cut. */
  elapsedMs: number;
  /** Time from the provider request to the first text; null: not streamed. */
  silentMs: number | null;
}

/** The output of a truncated response, in tokens. */
export interface OutputEstimate {
  /** At least the visible output; exactly that if nothing shows hidden reasoning. */
  billedTokens: number;
  /** What the provider may have written; at least the billed tokens. */
  likelyTokens: number;
}

/** One account's responses from one model. */
interface Speed {
  /** Running average. */
  tokensPerSecond: number;
  /** Largest hidden share of a response; cheap responses without reasoning do not lower it. */
  hiddenShare: number;
  /** Running average over responses without hidden reasoning; null: none yet. */
  silentMs: number | null;
}

interface KnownModel {
  accounts: Map<string, Speed>;
  /** The modes in which the provider has reported reasoning tokens. */
  reasonedIn: Set<ReasoningMode>;
}

/**
 * Learns each model's speed and hidden reasoning from complete responses, to estimate the output of truncated
 * ones. Every account has one vote per model, independent of its number of responses, so
 * that none determines what others pay. Responses without reasoning do not imply that the next one has none: only the
 * request and the model's facts do.
 */
export class OutputSpeeds {
  readonly #models = new Map<string, KnownModel>();

  note(accountId: string, sample: OutputSample): void {
    const { model, mode, outputTokens, visibleTokens, reasoningTokens, durationMs, silentMs } = sample;
    if (outputTokens < FEWEST_TOKENS || durationMs < SHORTEST_MS) return;
    const tokensPerSecond = Math.min((outputTokens * 1000) / durationMs, MAX_TOKENS_PER_SECOND);
    // Some servers report no reasoning tokens although they count them in the output.
    const hiddenShare = Math.max(0, 1 - visibleTokens / outputTokens);
    const { accounts, reasonedIn } = this.#known(model);
    if (reasoningTokens !== null && reasoningTokens > 0) reasonedIn.add(mode);
    const known = accounts.get(accountId) ?? { tokensPerSecond, hiddenShare, silentMs: null };
    known.tokensPerSecond += LATEST * (tokensPerSecond - known.tokensPerSecond);
    known.hiddenShare = Math.max(hiddenShare, known.hiddenShare);
    if (silentMs !== null && hiddenShare < FEWEST_HIDDEN) {
      known.silentMs ??= silentMs;
      known.silentMs += LATEST * (silentMs - known.silentMs);
    }
    accounts.delete(accountId);
    if (accounts.size >= MAX_ACCOUNTS) forgetFirst(accounts);
    accounts.set(accountId, known);
  }

  /** Estimates the output of a truncated response. */
  estimate(accountId: string, cut: CutAnswer): OutputEstimate {
    const { model, mode, visibleTokens, elapsedMs, silentMs } = cut;
    const known = this.#speedFor(model, accountId);
    const tokensPerSecond = known?.tokensPerSecond ?? FIRST_GUESS;
    const tokensIn = (ms: number) => Math.round((tokensPerSecond * Math.max(0, ms)) / 1000);
    const byTime = Math.max(visibleTokens, tokensIn(elapsedMs));
    if (mode === 'on' || this.#hasReasoned(cut, known)) return { billedTokens: byTime, likelyTokens: byTime };
    const hidden = byTime - visibleTokens;
    const likelyTokens = hidden >= byTime * FEWEST_HIDDEN ? byTime : visibleTokens;
    if (mode !== 'unknown') return { billedTokens: visibleTokens, likelyTokens };
    const quietMs = Math.max(QUIET_MS, QUIET_FACTOR * (known?.silentMs ?? 0));
    const written =
      silentMs === null ? tokensIn(elapsedMs - quietMs) : visibleTokens + tokensIn(silentMs - quietMs);
    const billedTokens = Math.max(visibleTokens, written);
    return { billedTokens, likelyTokens: Math.max(billedTokens, likelyTokens) };
  }

  /** True if earlier responses in the same mode had hidden reasoning. */
  #hasReasoned({ model, mode }: CutAnswer, known: Speed | null): boolean {
    if (this.#models.get(model)?.reasonedIn.has(mode) === true) return true;
    return mode === 'unknown' && known !== null && known.hiddenShare >= FEWEST_HIDDEN;
  }

  /** @returns null if no response of the model is known */
  #speedFor(model: string, accountId: string): Speed | null {
    const accounts = this.#models.get(model)?.accounts;
    if (accounts === undefined) return null;
    const own = accounts.get(accountId);
    if (accounts.size < FEWEST_ACCOUNTS && own !== undefined) return own;
    const all = [...accounts.values()];
    const tokensPerSecond = computeMedian(all.map((speed) => speed.tokensPerSecond));
    const silences = all.map((speed) => speed.silentMs).filter((silentMs) => silentMs !== null);
    const silentMs = silences.length === 0 ? null : computeMedian(silences);
    // An account's own responses have their full weight for itself.
    const hiddenShare = Math.max(own?.hiddenShare ?? 0, computeMedian(all.map((speed) => speed.hiddenShare)));
    if (accounts.size >= FEWEST_ACCOUNTS) return { tokensPerSecond, hiddenShare, silentMs };
    const least = FIRST_GUESS / BELIEVED_FACTOR;
    const most = FIRST_GUESS * BELIEVED_FACTOR;
    return { tokensPerSecond: Math.min(Math.max(tokensPerSecond, least), most), hiddenShare, silentMs };
  }

  #known(model: string): KnownModel {
    const known = this.#models.get(model);
    if (known !== undefined) return known;
    if (this.#models.size >= MAX_MODELS) forgetFirst(this.#models);
    const added: KnownModel = { accounts: new Map(), reasonedIn: new Set() };
    this.#models.set(model, added);
    return added;
  }
}

/** Lower median, so that an estimate does not charge too much. */
function computeMedian(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
}

function forgetFirst(map: Map<string, unknown>): void {
  const first = map.keys().next();
  if (first.done !== true) map.delete(first.value);
}
