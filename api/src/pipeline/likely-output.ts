import { getOutputTokens, type TokenUsage } from '@tollgate/core/money/money';
import type { ExpectedOutput } from '@tollgate/limits/expected-output';
import type { OutputEstimate, OutputSpeeds, ReasoningMode } from '@tollgate/limits/output-speed';
import type { ReasoningSetting } from '@tollgate/dialects/reasoning-setting';
import type { Model } from '../catalogue/catalogue.ts';
import type { Metered } from './metered.ts';
import type { RequestTimes } from './request-times.ts';

/** The output of a response that has not reported all of its usage. */
export interface ProducedOutput {
  /** Includes the hidden reasoning that its caller pays for. */
  billed: Metered;
  /** Further tokens that the provider may have written, at the operator's cost. */
  unbilledTokens: number;
}

interface LikelyOutputContext {
  key: { accountId: string };
  outputSpeeds: OutputSpeeds;
  expected: Pick<ExpectedOutput, 'note'>;
}

/** Estimates the hidden reasoning of one request from its settings, its times and the model's earlier responses. */
export class LikelyOutput {
  readonly #context: LikelyOutputContext;
  readonly #times: RequestTimes;
  /** null: no model is known yet. */
  model: string | null = null;
  /** False: the response comes at once, so that everything is hidden until then. */
  isStreamed = false;
  /** The model's mode if a request does not set reasoning. */
  usualMode: ReasoningMode = 'unknown';
  /** As set in the body of the current attempt; null: not set, so that the model decides. */
  setting: ReasoningSetting | null = null;

  constructor(context: LikelyOutputContext, times: RequestTimes) {
    this.#context = context;
    this.#times = times;
  }

  get mode(): ReasoningMode {
    return this.usualMode === 'none' ? 'none' : (this.setting ?? this.usualMode);
  }

  /** Adds hidden reasoning to the output seen so far, up to the request's maximum. */
  of(metered: Metered, maxOutputTokens: number): ProducedOutput {
    const { usage } = metered;
    if (usage === null || metered.isFinal || this.model === null)
      return { billed: metered, unbilledTokens: 0 };
    const seen = getOutputTokens(usage);
    const most = Math.max(seen, maxOutputTokens);
    const { billedTokens, likelyTokens } = this.#estimate(seen);
    const billed = Math.min(billedTokens, most);
    const outputTokens = usage.outputTokens + billed - seen;
    return {
      billed: { ...metered, usage: { ...usage, outputTokens }, estimated: true },
      unbilledTokens: Math.min(likelyTokens, most) - billed,
    };
  }

  /** Likely output of a provider that has sent nothing yet, in tokens. */
  get unseen(): OutputEstimate {
    return this.#estimate(0);
  }

  /** Time in which the provider may have worked, in milliseconds. */
  get workedMs(): number {
    return this.#times.sinceSentMs ?? 0;
  }

  /** Learns from the end of a request. A response that was interrupted says nothing about response lengths. */
  noteEnd(usage: TokenUsage, ended: Partial<Metered> & { errorCode: string | null }): void {
    if (this.model === null || ended.errorCode !== null || usage.outputTokens === 0) return;
    this.#context.expected.note(this.model, usage.outputTokens);
    this.#note(this.model, usage, ended);
  }

  /** Only reported usage counts. */
  #note(model: string, usage: TokenUsage, ended: Partial<Metered>): void {
    const { estimated = false, visibleTokens = 0, reasoningTokens = null } = ended;
    const { sinceSentMs: durationMs, silentMs } = this.#times;
    if (estimated || durationMs === null) return;
    const { mode } = this;
    const sample = { model, mode, outputTokens: getOutputTokens(usage), visibleTokens, reasoningTokens };
    this.#context.outputSpeeds.note(this.#context.key.accountId, { ...sample, durationMs, silentMs });
  }

  #estimate(visibleTokens: number): OutputEstimate {
    const { model, mode } = this;
    const { sinceSentMs: elapsedMs, silentMs } = this.#times;
    if (model === null || elapsedMs === null)
      return { billedTokens: visibleTokens, likelyTokens: visibleTokens };
    const cut = { model, mode, visibleTokens, elapsedMs, silentMs };
    const estimate = this.#context.outputSpeeds.estimate(this.#context.key.accountId, cut);
    return this.isStreamed ? estimate : { ...estimate, billedTokens: estimate.likelyTokens };
  }
}

/** Whether a model's response may contain hidden reasoning if its request does not set reasoning. */
export function getUsualMode({
  capabilities,
  routes,
}: Pick<Model, 'capabilities' | 'routes'>): ReasoningMode {
  // The operator has not entered what the model can do.
  const isKnown = capabilities.length > 0;
  if (isKnown && !capabilities.includes('reasoning')) return 'none';
  // Anthropic's models think only if a request asks for it.
  const mustBeAsked = routes.every(({ ends: [main] }) => main.dialect === 'anthropic-messages');
  return isKnown && !mustBeAsked ? 'on' : 'unknown';
}
