import { MAX_FALLBACK_MODELS } from '@tollgate/core/models/fallback-model';
import { useMutation } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useId } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { Card } from '../../../components/ui/card.tsx';
import { Chip } from '../../../components/ui/chip.tsx';
import { FormError } from '../../../components/ui/form-error.tsx';
import { describeError } from '../../../lib/api-error.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { trpc } from '../../../lib/trpc.ts';
import type { OperatorModel } from '../operator-types.ts';
import { AddFallbackForm } from './add-fallback-form.tsx';
import { FALLBACK_LABELS } from './fallback-labels.ts';

/** The models that requests go to if this one fails, in order. */
export function FallbacksCard({ model }: { model: OperatorModel }) {
  const headingId = useId();
  const { id: modelId, fallbacks } = model;
  const remove = useMutation(
    trpc.operator.fallbacks.remove.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries(trpc.operator.models.pathFilter()),
    }),
  );
  return (
    <Card>
      <section aria-labelledby={headingId}>
        <div className="border-b px-3.5 py-2.5 max-md:px-2.5">
          <h2 id={headingId} className="font-semibold">
            Fallback models
          </h2>
          <p className="text-[12.5px] text-ink-2">
            {fallbacks.length === 0
              ? 'None. If no route answers, requests fail.'
              : 'Tried in this order if no route answers. The model that answers sets the price.'}
          </p>
        </div>
        {remove.isError && (
          <div className="p-3">
            <FormError message={describeError(remove.error)} />
          </div>
        )}
        {fallbacks.length > 0 && (
          <ol className="divide-y">
            {fallbacks.map(({ modelId: fallbackId, classes }) => (
              <li key={fallbackId} className="flex items-center gap-x-4 px-3.5 py-2 max-md:px-2.5">
                <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-4 gap-y-1.5">
                  <span className="min-w-0 flex-1 basis-40 truncate font-mono text-[13px]">{fallbackId}</span>
                  <span className="flex flex-wrap gap-1.5">
                    {classes.map((each) => (
                      <Chip key={each}>{FALLBACK_LABELS[each].short}</Chip>
                    ))}
                  </span>
                </span>
                <Button
                  variant="ghost"
                  size="icon"
                  aria-label={`Remove fallback model ${fallbackId}`}
                  onClick={() => remove.mutate({ modelId, fallbackId })}
                >
                  <Trash2 aria-hidden className="size-4" />
                </Button>
              </li>
            ))}
          </ol>
        )}
        {fallbacks.length < MAX_FALLBACK_MODELS && <AddFallbackForm model={model} />}
      </section>
    </Card>
  );
}
