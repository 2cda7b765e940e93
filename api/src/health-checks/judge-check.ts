import type { Dialect } from '@tollgate/core/models/dialect';
import { NO_USAGE, type NanoUsd, type TokenUsage } from '@tollgate/core/money/money';
import { getDialectRules } from '@tollgate/dialects/dialect-rules';
import { parseJsonObject, type JsonObject } from '@tollgate/dialects/json/parse-object';
import { completeUsage } from '@tollgate/dialects/usage/complete-usage';
import { readReportedCost } from '@tollgate/dialects/usage/reported-cost';
import { judgeStatus } from '@tollgate/upstreams/routing/retry-policy';
import type { UpstreamFailure } from '@tollgate/upstreams/transport/transport';
import { CHECK_INPUT_TOKENS, CHECK_OUTPUT_TOKENS } from './build-check.ts';
import type { SentCheck } from './send-check.ts';

/**
 * OpenAI refuses a request whose whole output limit was used for reasoning, so the model works
 * (https://community.openai.com/t/1159093).
 */
const ONLY_REASONED = /max_tokens or model output limit was reached/;
/** After these the provider may have worked on the request. */
const MAY_BE_BILLED: ReadonlySet<UpstreamFailure['kind']> = new Set(['timeout', 'cut']);
const ALL_USED: TokenUsage = {
  ...NO_USAGE,
  inputTokens: CHECK_INPUT_TOKENS,
  outputTokens: CHECK_OUTPUT_TOKENS,
};

/** What a health check says about its route. */
export interface CheckVerdict {
  /**
   * Refused: the provider works, but does not take the request or the credential, or takes no more now. Stopped: it was
   * ended here, which says nothing about the provider.
   */
  result: 'answered' | 'failed' | 'refused' | 'stopped';
  /** One word, such as `timeout` or `status_503`; null: answered or stopped. */
  error: string | null;
  /** What the provider may bill. */
  usage: TokenUsage;
  /** As the provider reported it; null: not reported. */
  reportedCostNanoUsd: NanoUsd | null;
}

export function judgeCheck(sent: SentCheck, dialect: Dialect): CheckVerdict {
  switch (sent.kind) {
    case 'failure': {
      const { kind } = sent.failure;
      return fail(kind, sent.isSent && MAY_BE_BILLED.has(kind) ? ALL_USED : NO_USAGE);
    }
    case 'stopped': {
      const usage = sent.isSent ? ALL_USED : NO_USAGE;
      return { result: 'stopped', error: null, usage, reportedCostNanoUsd: null };
    }
    case 'oversize':
      return fail('unreadable', ALL_USED);
    case 'answer':
      return judgeAnswer(sent, dialect);
  }
}

function judgeAnswer({ status, text }: { status: number; text: string }, dialect: Dialect): CheckVerdict {
  if (status === 400 && ONLY_REASONED.test(text)) return answer(ALL_USED, null);
  if (status < 200 || status > 299) {
    const failed = fail(`status_${status}`, NO_USAGE);
    // A limit that is reached is no failure of the route.
    const isFailure = judgeStatus(status) === 'retryable' && status !== 429;
    return isFailure ? failed : { ...failed, result: 'refused' };
  }
  const body = parseJsonObject(text);
  if (body === null || !getDialectRules(dialect).isAnswer(body)) return fail('unreadable', ALL_USED);
  return readAnswer(body, dialect);
}

function readAnswer(body: JsonObject, dialect: Dialect): CheckVerdict {
  const report = getDialectRules(dialect).decodeUsage(body);
  const { usage } = completeUsage(report, {
    likelyInputTokens: CHECK_INPUT_TOKENS,
    estimateInput: () => CHECK_INPUT_TOKENS,
    outputTokens: report === null ? CHECK_OUTPUT_TOKENS : 0,
    leastOutputTokens: 0,
    tokensSinceReport: 0,
  });
  return answer(usage, report === null ? null : readReportedCost(report.raw));
}

function answer(usage: TokenUsage, reportedCostNanoUsd: NanoUsd | null): CheckVerdict {
  return { result: 'answered', error: null, usage, reportedCostNanoUsd };
}

function fail(error: string, usage: TokenUsage): CheckVerdict {
  return { result: 'failed', error, usage, reportedCostNanoUsd: null };
}
