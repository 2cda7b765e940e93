import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation } from '@tanstack/react-query';
import type { PriceTerms } from '@tollgate/core/money/price-terms';
import { useState } from 'react';
import { FormProvider, useForm } from 'react-hook-form';
import { toast } from '../../../lib/toast.ts';
import { Dialog, DialogActions, DialogBody, DialogContent } from '../../../components/ui/dialog.tsx';
import { useDiscardGuard } from '../../../components/ui/discard-guard.tsx';
import { Field } from '../../../components/ui/field.tsx';
import { Form } from '../../../components/ui/form.tsx';
import { FormError } from '../../../components/ui/form-error.tsx';
import { Input } from '../../../components/ui/input.tsx';
import { Segmented } from '../../../components/ui/segmented.tsx';
import { describeError } from '../../../lib/api-error.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { trpc } from '../../../lib/trpc.ts';
import type { OperatorModel } from '../operator-types.ts';
import { PriceFields } from './price-fields.tsx';
import { priceFormSchema, getPriceTexts, type PriceTexts } from './price-form.ts';

interface SetPriceDialogProps {
  model: OperatorModel;
  onClose: () => void;
  onCloseAutoFocus: (event: Event) => void;
}

const WHEN = [
  { value: 'now', label: 'Now' },
  { value: 'later', label: 'Later' },
] as const;

/** Adds a price version that takes effect now or later. Versions are immutable. */
export function SetPriceDialog({ model, onClose, onCloseAutoFocus }: SetPriceDialogProps) {
  const current = model.prices.find(({ state }) => state === 'current')?.terms ?? null;
  const form = useForm<PriceTexts, unknown, PriceTerms>({
    resolver: zodResolver(priceFormSchema),
    defaultValues: getPriceTexts(current),
  });
  const [when, setWhen] = useState<'now' | 'later'>('now');
  const [at, setAt] = useState('');
  const set = useMutation(
    trpc.operator.models.setPrice.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries(trpc.operator.models.pathFilter());
        onClose();
        toast.success(when === 'now' ? 'New price set' : 'New price scheduled');
      },
    }),
  );
  const atMs = Date.parse(at);
  const effectiveFrom = when === 'now' || Number.isNaN(atMs) ? null : new Date(atMs).toISOString();
  const guard = useDiscardGuard(onClose, set.isPending);
  return (
    <Dialog open onOpenChange={guard.onOpenChange}>
      <DialogContent
        onInput={guard.onInput}
        title="Set price"
        description={`${model.id}: requests in progress keep the previous price.`}
        onCloseAutoFocus={onCloseAutoFocus}
      >
        <FormProvider {...form}>
          <Form
            onSubmit={form.handleSubmit((terms) => set.mutate({ modelId: model.id, terms, effectiveFrom }))}
          >
            <DialogBody>
              <PriceFields />
              <Segmented
                label="When"
                value={when}
                options={WHEN}
                onValueChange={setWhen}
                className="w-full *:flex-1"
              />
              {when === 'later' && (
                <Field label="Takes effect" hint="In your time zone">
                  {(control) => (
                    <Input
                      {...control}
                      type="datetime-local"
                      value={at}
                      onChange={(event) => setAt(event.target.value)}
                    />
                  )}
                </Field>
              )}
              <FormError message={set.isError ? describeError(set.error) : undefined} />
            </DialogBody>
            <DialogActions disabled={when === 'later' && effectiveFrom === null} isPending={set.isPending}>
              {when === 'now' ? 'Set price' : 'Schedule price'}
            </DialogActions>
          </Form>
        </FormProvider>
        {guard.question}
      </DialogContent>
    </Dialog>
  );
}
