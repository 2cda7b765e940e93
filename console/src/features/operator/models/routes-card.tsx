import { useMutation } from '@tanstack/react-query';
import { Waypoints } from 'lucide-react';
import { useId, useState } from 'react';
import { toast } from '../../../lib/toast.ts';
import { Button } from '../../../components/ui/button.tsx';
import { Card } from '../../../components/ui/card.tsx';
import { EmptyState } from '../../../components/ui/empty-state.tsx';
import { FormError } from '../../../components/ui/form-error.tsx';
import { describeError } from '../../../lib/api-error.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { trpc } from '../../../lib/trpc.ts';
import { useBreakers } from '../breakers/use-breakers.ts';
import type { OperatorModel } from '../operator-types.ts';
import { UnsavedChanges } from '../../../components/layouts/unsaved-changes.tsx';
import { AddRouteForm } from './add-route-form.tsx';
import { moveRoute, getPlaces, readPlaces, type PlacedRoute } from './route-order.ts';
import { RouteItem } from './route-item.tsx';

const refresh = () => queryClient.invalidateQueries(trpc.operator.models.pathFilter());

/** Routes of the model in order. Changes apply after "Save order". */
export function RoutesCard({ model }: { model: OperatorModel }) {
  const headingId = useId();
  const stored = getPlaces(model.routeList);
  const [edited, setEdited] = useState<PlacedRoute[] | null>(null);
  const breakers = useBreakers();
  const [dragged, setDragged] = useState<number | null>(null);
  const arrange = useMutation(
    trpc.operator.routes.arrange.mutationOptions({
      onSuccess: async () => {
        await refresh();
        setEdited(null);
        toast.success('Route order saved');
      },
    }),
  );
  const remove = useMutation(
    trpc.operator.routes.remove.mutationOptions({
      onSuccess: async () => {
        await refresh();
        setEdited(null);
      },
    }),
  );
  const places = edited ?? stored;
  const wanted = readPlaces(places);
  const isDirty = edited !== null && JSON.stringify(edited) !== JSON.stringify(stored);
  const failure = arrange.error ?? remove.error;
  return (
    <Card className="@container">
      <section aria-labelledby={headingId}>
        <div className="flex flex-wrap items-center gap-2 border-b px-3.5 py-2.5 max-md:px-2.5">
          <div className="min-w-0 flex-1">
            <h2 id={headingId} className="font-semibold">
              Routes
            </h2>
            <p className="text-[12.5px] text-ink-2">
              Tried in this order: if a route fails before its response starts, the next one is tried.
            </p>
          </div>
          {isDirty && (
            <>
              <Button size="sm" onClick={() => setEdited(null)}>
                Discard changes
              </Button>
              <Button
                size="sm"
                variant="primary"
                disabled={wanted === null}
                isPending={arrange.isPending}
                onClick={() => wanted !== null && arrange.mutate({ modelId: model.id, places: wanted })}
              >
                Save order
              </Button>
            </>
          )}
        </div>
        <UnsavedChanges isDirty={isDirty} what="The new order of the routes" />
        {failure !== null && (
          <div className="p-3">
            <FormError message={describeError(failure)} />
          </div>
        )}
        {places.length === 0 ? (
          <EmptyState icon={Waypoints} title="No routes yet">
            Requests for this model are rejected until you add a route.
          </EmptyState>
        ) : (
          <ol className="divide-y">
            {places.map((place, index) => (
              <RouteItem
                key={place.id}
                modelId={model.id}
                place={place}
                index={index}
                count={places.length}
                isDragged={dragged === index}
                breakers={breakers}
                onChange={(change) =>
                  setEdited(places.map((other, at) => (at === index ? { ...other, ...change } : other)))
                }
                onMove={(to) => setEdited(moveRoute(places, index, to))}
                onDragStart={() => setDragged(index)}
                onDragEnd={() => setDragged(null)}
                onDragOver={() => {
                  if (dragged === null || dragged === index) return;
                  setEdited(moveRoute(places, dragged, index));
                  setDragged(index);
                }}
                onRemove={() => remove.mutate({ modelId: model.id, routeId: place.id })}
              />
            ))}
          </ol>
        )}
        <AddRouteForm modelId={model.id} />
      </section>
    </Card>
  );
}
