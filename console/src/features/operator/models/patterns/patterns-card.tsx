import { useMutation, useQuery } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useId, useState } from 'react';
import { Button } from '../../../../components/ui/button.tsx';
import { Card } from '../../../../components/ui/card.tsx';
import { ConfirmDialog } from '../../../../components/ui/confirm-dialog.tsx';
import { ErrorState } from '../../../../components/ui/error-state.tsx';
import { formatPlural } from '../../../../lib/format/count.ts';
import { queryClient } from '../../../../lib/query-client.ts';
import { toast } from '../../../../lib/toast.ts';
import { trpc } from '../../../../lib/trpc.ts';
import type { OperatorPattern } from '../../operator-types.ts';
import { AddPatternForm } from './add-pattern-form.tsx';

/** Patterns that route all matching models of the catalogue to a provider. */
export function PatternsCard() {
  const headingId = useId();
  const list = useQuery(trpc.operator.patterns.list.queryOptions());
  const providers = useQuery(trpc.operator.providers.list.queryOptions());
  const [removed, setRemoved] = useState<OperatorPattern | null>(null);
  const patterns = list.data?.patterns ?? [];
  const withPreset = (providers.data?.providers ?? []).filter(({ preset }) => preset !== null);
  return (
    <Card className="mt-4">
      <section aria-labelledby={headingId}>
        <div className="border-b px-3.5 py-2.5 max-md:px-2.5">
          <h2 id={headingId} className="font-semibold">
            Route patterns
          </h2>
          <p className="text-[12.5px] text-ink-2">
            A pattern adds all matching models of the catalogue, with prices and a route. New releases add new
            models.
          </p>
        </div>
        {list.isError && (
          <ErrorState
            title="The patterns could not be loaded"
            error={list.error}
            isRetrying={list.isFetching}
            onRetry={() => void list.refetch()}
          />
        )}
        {list.isSuccess && patterns.length === 0 && (
          <p className="px-3.5 py-3 text-[13px] text-ink-2 max-md:px-2.5">No patterns yet.</p>
        )}
        {patterns.length > 0 && (
          <ul className="divide-y">
            {patterns.map((pattern) => (
              <PatternItem key={pattern.id} pattern={pattern} onRemove={() => setRemoved(pattern)} />
            ))}
          </ul>
        )}
        {providers.isSuccess &&
          (withPreset.length > 0 ? (
            <AddPatternForm providerNames={withPreset.map(({ name }) => name)} />
          ) : (
            <p className="border-t px-3.5 py-3 text-[13px] text-ink-2 max-md:px-2.5">
              To add a pattern, add a known provider first. Custom providers have no catalogue.
            </p>
          ))}
      </section>
      {removed !== null && <RemovePatternDialog pattern={removed} onClose={() => setRemoved(null)} />}
    </Card>
  );
}

function PatternItem({ pattern: each, onRemove }: { pattern: OperatorPattern; onRemove: () => void }) {
  const { pattern, providerName, strip, priority, weight, modelCount } = each;
  return (
    <li className="flex items-center gap-x-4 px-3.5 py-2 max-md:px-2.5">
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-baseline gap-x-2">
          <span className="font-mono text-[13px] break-all">{pattern}</span>
          <span className="text-[13px] text-ink-2">{providerName}</span>
        </div>
        <div className="text-[12.5px] wrap-anywhere text-ink-3">
          {formatPlural(modelCount, 'model')}, priority {priority}, weight {weight}
          {strip !== '' && `, ${strip} is removed`}
        </div>
      </div>
      <Button
        variant="ghost"
        size="icon"
        aria-label={`Remove pattern ${pattern} of ${providerName}`}
        onClick={onRemove}
      >
        <Trash2 aria-hidden className="size-4" />
      </Button>
    </li>
  );
}

function RemovePatternDialog({ pattern, onClose }: { pattern: OperatorPattern; onClose: () => void }) {
  const remove = useMutation(
    trpc.operator.patterns.remove.mutationOptions({
      onSuccess: async ({ removed }) => {
        await queryClient.invalidateQueries(trpc.operator.pathFilter());
        toast.success(`${pattern.pattern} removed`, {
          description: `${formatPlural(removed, 'model')} removed.`,
        });
        onClose();
      },
    }),
  );
  return (
    <ConfirmDialog
      title={`Remove pattern ${pattern.pattern}?`}
      description={`Its routes to ${pattern.providerName} are removed, and models without another route. Past usage stays on record.`}
      action="Remove pattern"
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ patternId: pattern.id })}
      onClose={onClose}
    />
  );
}
