import { useQuery } from '@tanstack/react-query';
import { Card } from '../../../components/ui/card.tsx';
import { trpc, type KeyView, type KeyWindows } from '../../../lib/trpc.ts';
import { useNow } from '../../../lib/use-now.ts';
import { describeSource } from './describe-source.ts';
import { LimitGauge } from './limit-gauge.tsx';

const REFRESH_MS = 2_000;
const CLOCK_MS = 1_000;

interface KeyLimitsProps {
  accountId: string;
  view: KeyView;
  /** False after revocation or expiry: limits are not polled. */
  isAlive: boolean;
}

/** Rate limits of the key and its plan with usage in the last minute, polled while the page is open. */
export function KeyLimits({ accountId, view, isAlive }: KeyLimitsProps) {
  const windows = useQuery(
    trpc.keys.windows.queryOptions(
      { accountId, keyId: view.id },
      { enabled: isAlive, refetchInterval: REFRESH_MS, staleTime: 0 },
    ),
  );
  const nowMs = useNow(CLOCK_MS);
  // After a failed poll, the previous data is outdated.
  const current = isAlive && !windows.isError ? windows.data : undefined;
  const source = isAlive ? describeSource(current, windows.isError) : null;
  const ageMs = isAlive ? Math.max(0, nowMs - windows.dataUpdatedAt) : null;
  return (
    <Card className="min-w-0 px-4 py-3.5">
      <section aria-labelledby="key-limits">
        <h2 id="key-limits" className="mb-2.5 font-medium">
          Limits
          {isAlive && <span className="font-normal text-ink-3"> in the last 60 seconds</span>}
        </h2>
        <dl className="grid gap-3 text-[13px]">
          <LimitGauge
            name="Requests / min"
            gauge={current?.key.requests ?? withoutUsage(view.rpm)}
            isCutShort={current?.isCutShort ?? false}
            ageMs={ageMs}
          />
          <LimitGauge
            name="Tokens / min"
            gauge={current?.key.tokens ?? withoutUsage(view.tpm)}
            isCutShort={current?.isCutShort ?? false}
            ageMs={ageMs}
          />
        </dl>
        {current !== undefined && <PlanLimits plan={current.plan} ageMs={ageMs} />}
        {source !== null && <p className="mt-3 text-[12.5px]/[18px] text-ink-3">{source}</p>}
      </section>
    </Card>
  );
}

function PlanLimits({ plan, ageMs }: { plan: KeyWindows['plan']; ageMs: number | null }) {
  if (plan.requests.limit === null && plan.tokens.limit === null) return null;
  return (
    <>
      <h3 className="mt-4 mb-2 text-[12.5px] text-ink-3">
        Plan <span className="text-ink-2">{plan.id}</span>, across all keys of the account
      </h3>
      <dl className="grid gap-3 text-[13px]">
        {plan.requests.limit !== null && (
          <LimitGauge name="Requests / min" gauge={plan.requests} ageMs={ageMs} />
        )}
        {plan.tokens.limit !== null && <LimitGauge name="Tokens / min" gauge={plan.tokens} ageMs={ageMs} />}
      </dl>
    </>
  );
}

function withoutUsage(limit: number | null) {
  return { limit, used: null, freeInMs: null };
}
