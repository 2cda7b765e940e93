import { useMutation } from '@tanstack/react-query';
import { useId } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { Card } from '../../../components/ui/card.tsx';
import { FormError } from '../../../components/ui/form-error.tsx';
import { describeError } from '../../../lib/api-error.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { trpc } from '../../../lib/trpc.ts';
import type { OperatorModel } from '../operator-types.ts';
import { RateList } from './rate-list.tsx';

/** Published rates that a model lacks, with a button to add them. */
export function MissingRatesCard({ model }: { model: OperatorModel }) {
  const headingId = useId();
  const add = useMutation(
    trpc.operator.models.addPublishedRates.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries(trpc.operator.models.pathFilter()),
    }),
  );
  if (model.missingRates.length === 0) return null;
  return (
    <Card>
      <section aria-labelledby={headingId} className="grid gap-3 px-3.5 py-3 max-md:px-2.5">
        <div className="flex flex-wrap items-start justify-between gap-3">
          <div>
            <h2 id={headingId} className="font-semibold">
              Missing rates
            </h2>
            <p className="text-[12.5px] text-ink-2">
              The catalogue has these rates. Requests that need them are rejected if a balance or budget
              applies.
            </p>
          </div>
          <Button disabled={add.isPending} onClick={() => add.mutate({ modelId: model.id })}>
            Add published rates
          </Button>
        </div>
        {add.isError && <FormError message={describeError(add.error)} />}
        <RateList rates={model.missingRates} />
      </section>
    </Card>
  );
}
