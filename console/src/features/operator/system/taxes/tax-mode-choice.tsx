import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmDialog } from '../../../../components/ui/confirm-dialog.tsx';
import { Note } from '../../../../components/ui/note.tsx';
import { Segmented } from '../../../../components/ui/segmented.tsx';
import { formatCount } from '../../../../lib/format/count.ts';
import { queryClient } from '../../../../lib/query-client.ts';
import { trpc, type TaxMode, type TaxSettings } from '../../../../lib/trpc.ts';

const OPTIONS = [
  { value: 'included', label: 'Included' },
  { value: 'on_top', label: 'On top' },
  { value: 'stripe', label: 'Stripe Tax' },
] as const;

const EFFECTS: Record<TaxMode, string> = {
  included: 'A customer who pays $20 gets $20 of credit. The receipt shows the part that is tax.',
  on_top: 'A customer who wants $20 of credit pays $20 and the tax. The balance gets the net amount.',
  stripe:
    'Stripe asks for the address, determines the tax and adds it. The rates below are not used. Set up Stripe Tax in Stripe first.',
};
const QUESTIONS: Record<TaxMode, string> = {
  included: 'Include taxes in top-ups?',
  on_top: 'Add taxes on top of top-ups?',
  stripe: 'Let Stripe add taxes?',
};

/** Whether taxes are included in later payments or added to them. */
export function TaxModeChoice({ settings }: { settings: TaxSettings }) {
  const { mode, hasStripe, autoTopUpsWithoutAddress: affected } = settings;
  const options = OPTIONS.filter(({ value }) => value !== 'stripe' || hasStripe || mode === 'stripe');
  const [asked, setAsked] = useState<TaxMode | null>(null);
  const set = useMutation(
    trpc.operator.taxes.setMode.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries(trpc.operator.taxes.pathFilter());
        setAsked(null);
      },
    }),
  );
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t px-3.5 py-3">
      <Segmented label="How taxes are charged" value={mode} options={options} onValueChange={setAsked} />
      <p className="min-w-0 flex-1 basis-64 text-[13px] text-ink-2">{EFFECTS[mode]}</p>
      {asked !== null && asked !== mode && (
        <ConfirmDialog
          title={QUESTIONS[asked]}
          description={`${EFFECTS[asked]} Payments that were started keep their taxes.`}
          action="Change taxes"
          tone="primary"
          isPending={set.isPending}
          error={set.error}
          onConfirm={() => set.mutate({ mode: asked })}
          onClose={() => {
            set.reset();
            setAsked(null);
          }}
        >
          {asked === 'stripe' && affected > 0 && (
            <Note tone="warn">
              {affected === 1 ? '1 account has' : `${formatCount(affected)} accounts have`} automatic top-ups
              with a card that was saved without a billing address. These top-ups fail until a member pays
              once and saves the card again.
            </Note>
          )}
        </ConfirmDialog>
      )}
    </div>
  );
}
