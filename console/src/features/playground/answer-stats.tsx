import { getInputTokens, getOutputTokens } from '@tollgate/core/money/money';
import { Link } from '@tanstack/react-router';
import { paths } from '../../lib/paths.ts';
import { Chip } from '../../components/ui/chip.tsx';
import { TEXT_LINK } from '../../components/ui/text-link.ts';
import { cn } from '../../lib/cn.ts';
import { formatCount } from '../../lib/format/count.ts';
import { formatCost } from '../../lib/format/money.ts';
import type { Catalogue } from '../../lib/trpc.ts';
import type { AnswerTurn } from './conversation.ts';
import { getSpeed, type Distinction } from './compare-answers.ts';
import { costOfAnswer } from './compute-answer-cost.ts';

interface AnswerStatsProps {
  turn: AnswerTurn;
  catalogue: Catalogue;
  distinctions: readonly Distinction[];
}

/** Latency, speed, tokens and cost of a response. */
export function AnswerStats({ turn, catalogue, distinctions }: AnswerStatsProps) {
  const { usage, firstTokenMs, totalMs, requestId, finishReason } = turn;
  if (totalMs === null) return null;
  const cost = usage === null ? null : costOfAnswer(catalogue, turn.model, usage);
  const speed = getSpeed(turn);
  return (
    <dl className="flex flex-wrap items-center gap-x-4 gap-y-1 text-[12.5px] text-ink-2">
      {firstTokenMs !== null && (
        <Stat name="Time to first token" best={distinctions.includes('first-token') && 'fastest'}>
          {formatCount(firstTokenMs)} ms
        </Stat>
      )}
      <Stat name="Total latency">{formatCount(totalMs)} ms</Stat>
      {speed !== null && (
        <Stat
          name="Speed"
          hint="Output tokens per second after the first token"
          best={distinctions.includes('speed') && 'fastest'}
        >
          {formatCount(Math.round(speed))} tokens/s
        </Stat>
      )}
      {usage !== null && (
        <Stat name="Tokens">
          {formatCount(getInputTokens(usage))} in, {formatCount(getOutputTokens(usage))} out
        </Stat>
      )}
      {cost !== null && turn.state === 'done' && (
        <Stat
          name="Cost"
          best={distinctions.includes('cost') && 'lowest'}
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

interface StatProps {
  name: string;
  hint?: string;
  /** Said if this is the best value of the compared models. */
  best?: string | false;
  children: React.ReactNode;
}

function Stat({ name, hint, best = false, children }: StatProps) {
  return (
    <div className="flex items-center gap-1.5" title={hint}>
      <dt className="text-ink-3">{name}</dt>
      <dd className="flex items-center gap-1.5">
        {children}
        {best !== false && <Chip tone="ok">{best}</Chip>}
      </dd>
    </div>
  );
}
