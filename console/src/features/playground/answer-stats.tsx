import { getInputTokens, getOutputTokens } from '@tollgate/core/money/money';
import { Link } from '@tanstack/react-router';
import { paths } from '../../lib/paths.ts';
import { TEXT_LINK } from '../../components/ui/text-link.ts';
import { cn } from '../../lib/cn.ts';
import { formatCount } from '../../lib/format/count.ts';
import { formatCost } from '../../lib/format/money.ts';
import type { Catalogue } from '../../lib/trpc.ts';
import type { AnswerTurn } from './conversation.ts';
import { costOfAnswer } from './compute-answer-cost.ts';

/** Latency, tokens and cost of a response. */
export function AnswerStats({ turn, catalogue }: { turn: AnswerTurn; catalogue: Catalogue }) {
  const { usage, firstTokenMs, totalMs, requestId, finishReason } = turn;
  if (totalMs === null) return null;
  const cost = usage === null ? null : costOfAnswer(catalogue, turn.model, usage);
  return (
    <dl className="flex flex-wrap items-center gap-x-4 gap-y-1 text-[12.5px] text-ink-2">
      {firstTokenMs !== null && <Stat name="Time to first token">{formatCount(firstTokenMs)} ms</Stat>}
      <Stat name="Total latency">{formatCount(totalMs)} ms</Stat>
      {usage !== null && (
        <Stat name="Tokens">
          {formatCount(getInputTokens(usage))} in, {formatCount(getOutputTokens(usage))} out
        </Stat>
      )}
      {cost !== null && turn.state === 'done' && (
        <Stat
          name="Cost"
          hint="Estimated from the reported usage at current prices. Open the request to see the charged amount."
        >
          <span className="font-mono text-ink">{formatCost(cost.toString())}</span>
        </Stat>
      )}
      {finishReason !== null && <Stat name="Finish reason">{finishReason}</Stat>}
      {requestId !== null && (
        <Stat name="Request">
          <Link
            to={paths.requests}
            search={{ request: requestId }}
            className={cn(TEXT_LINK, 'font-mono font-normal break-all')}
          >
            {requestId}
          </Link>
        </Stat>
      )}
    </dl>
  );
}

function Stat({ name, hint, children }: { name: string; hint?: string; children: React.ReactNode }) {
  return (
    <div className="flex items-center gap-1.5" title={hint}>
      <dt className="text-ink-3">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
