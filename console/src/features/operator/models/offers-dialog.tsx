import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { toast } from '../../../lib/toast.ts';
import { Button } from '../../../components/ui/button.tsx';
import { Dialog, DialogBody, DialogContent } from '../../../components/ui/dialog.tsx';
import { FormError } from '../../../components/ui/form-error.tsx';
import { Input } from '../../../components/ui/input.tsx';
import { describeError } from '../../../lib/api-error.ts';
import { formatPrice } from '../../../lib/format/money.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { trpc } from '../../../lib/trpc.ts';
import type { OperatorOffer } from '../operator-types.ts';
import { Paged } from '../../../components/ui/paged.tsx';

interface OffersDialogProps {
  onClose: () => void;
  onCloseAutoFocus: (event: Event) => void;
}

const SHOWN = 60;

/** Catalogue models that are not added yet, with their prices and limits. */
export function OffersDialog({ onClose, onCloseAutoFocus }: OffersDialogProps) {
  const [search, setSearch] = useState('');
  const list = useQuery(trpc.operator.models.offers.queryOptions());
  const add = useMutation(
    trpc.operator.models.addFromCatalogue.mutationOptions({
      onSuccess: async ({ id, routeList }) => {
        await queryClient.invalidateQueries(trpc.operator.models.pathFilter());
        toast.success(`${id} added`, {
          description:
            routeList.length === 0 ? 'Add a route to start serving it.' : 'Requests can use it now.',
        });
      },
    }),
  );
  const wanted = search.trim().toLowerCase();
  const offers = (list.data?.offers ?? []).filter(({ id, title, preset }) =>
    `${id} ${title} ${preset}`.toLowerCase().includes(wanted),
  );
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogContent
        title="Add from catalogue"
        description="Published prices and limits are filled in. You can change them later."
        className="max-w-[680px]"
        onCloseAutoFocus={onCloseAutoFocus}
      >
        <DialogBody>
          <Input
            type="search"
            aria-label="Search the catalogue"
            placeholder="Search models and providers"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
          <FormError message={add.isError ? describeError(add.error) : undefined} />
          <Paged list={list} title="The catalogue could not be loaded">
            {offers.length === 0 ? (
              <p className="py-6 text-center text-ink-2">
                {wanted === '' ? 'All catalogue models are added.' : 'No matching models.'}
              </p>
            ) : (
              <ul className="max-h-[50dvh] divide-y overflow-y-auto rounded-lg border">
                {offers.slice(0, SHOWN).map((offer) => (
                  <Offer
                    key={`${offer.preset} ${offer.id}`}
                    offer={offer}
                    isPending={add.isPending && add.variables.id === offer.id}
                    onAdd={() =>
                      add.mutate({
                        id: offer.id,
                        preset: offer.preset,
                        providerId: offer.providers[0]?.id ?? null,
                      })
                    }
                  />
                ))}
              </ul>
            )}
          </Paged>
          {offers.length > SHOWN && (
            <p className="text-[12.5px] text-ink-3">{offers.length - SHOWN} more. Search to find them.</p>
          )}
        </DialogBody>
      </DialogContent>
    </Dialog>
  );
}

function Offer(props: { offer: OperatorOffer; isPending: boolean; onAdd: () => void }) {
  const { id, preset, inputUsd, outputUsd, providers } = props.offer;
  const provider = providers[0]?.name;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-3 py-2">
      <div className="min-w-0 flex-1 basis-52">
        <div className="truncate font-medium" title={id}>
          {id}
        </div>
        <div className="text-[12.5px] text-ink-2">
          {provider === undefined ? `${preset} (provider not added)` : `via ${provider}`}
        </div>
      </div>
      <div className="text-right font-mono text-[12.5px]">
        {formatPrice(inputUsd)} <span className="font-sans text-ink-3">in</span> {formatPrice(outputUsd)}{' '}
        <span className="font-sans text-ink-3">out</span>
      </div>
      <Button
        size="sm"
        className="ml-auto"
        aria-label={`Add ${id} from ${preset}`}
        isPending={props.isPending}
        onClick={props.onAdd}
      >
        Add
      </Button>
    </li>
  );
}
