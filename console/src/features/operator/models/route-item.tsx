import { ArrowDown, ArrowUp, GripVertical, Trash2 } from 'lucide-react';
import { Button } from '../../../components/ui/button.tsx';
import { Checkbox } from '../../../components/ui/checkbox.tsx';
import { Input } from '../../../components/ui/input.tsx';
import { cn } from '../../../lib/cn.ts';
import { RouteBreaker } from '../breakers/route-breaker.tsx';
import type { SeenBreakers } from '../breakers/use-breakers.ts';
import type { PlacedRoute } from './route-order.ts';
import { LastHealthCheck } from './last-health-check.tsx';
import { ServedNames } from './served-names.tsx';

interface RouteItemProps {
  modelId: string;
  place: PlacedRoute;
  index: number;
  count: number;
  isDragged: boolean;
  /** null if unknown. */
  breakers: SeenBreakers | null;
  onChange: (change: Partial<PlacedRoute>) => void;
  onMove: (to: number) => void;
  onDragStart: () => void;
  onDragEnd: () => void;
  onDragOver: () => void;
  onRemove: () => void;
}

/** A route that can be moved by dragging, or by its buttons with keyboard and touch. */
export function RouteItem(props: RouteItemProps) {
  const { place, index, count, onMove } = props;
  const { providerName, upstreamModel } = place;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the mouse's way; the buttons are the keyboard's
    <li
      draggable
      onDragStart={props.onDragStart}
      onDragEnd={props.onDragEnd}
      onDragOver={(event) => {
        event.preventDefault();
        props.onDragOver();
      }}
      className={cn(
        'flex flex-wrap items-center gap-x-4 gap-y-2 px-3.5 py-2.5 max-md:px-2.5',
        props.isDragged && 'bg-sunken',
        place.isShared && 'pl-9 max-md:pl-7',
      )}
    >
      <GripVertical aria-hidden className="size-4 shrink-0 cursor-grab text-ink-3 pointer-coarse:hidden" />
      <div className="min-w-0 flex-1 basis-40">
        <div className="font-medium">{providerName}</div>
        <div className={cn('truncate text-[12.5px] text-ink-3', upstreamModel !== null && 'font-mono')}>
          {upstreamModel ?? 'Same model ID'}
        </div>
        <RouteBreaker
          routeId={place.id}
          breakers={props.breakers}
          failsCheck={place.healthCheck !== null && place.healthCheck.error !== null}
        />
        {place.healthCheck !== null && <LastHealthCheck check={place.healthCheck} />}
        <ServedNames modelId={props.modelId} route={place} />
      </div>
      {index > 0 && (
        <Checkbox
          label="Load-balance with the route above"
          checked={place.isShared}
          onCheckedChange={(isShared) => props.onChange({ isShared })}
        />
      )}
      <span className="flex items-center gap-2 text-[13px] text-ink-2">
        <span aria-hidden>Weight</span>
        <Input
          aria-label={`Weight of ${providerName}`}
          inputMode="numeric"
          value={place.weight}
          onChange={(event) => props.onChange({ weight: event.target.value })}
          className="w-16 text-right"
        />
      </span>
      <span className="flex">
        <Button
          variant="ghost"
          size="icon"
          aria-label={`Move ${providerName} up`}
          disabled={index === 0}
          onClick={() => onMove(index - 1)}
        >
          <ArrowUp aria-hidden className="size-4" />
        </Button>
        <Button
          variant="ghost"
          size="icon"
          aria-label={`Move ${providerName} down`}
          disabled={index === count - 1}
          onClick={() => onMove(index + 1)}
        >
          <ArrowDown aria-hidden className="size-4" />
        </Button>
        <Button
          variant="ghost"
          size="icon"
          aria-label={`Remove route to ${providerName}`}
          onClick={props.onRemove}
        >
          <Trash2 aria-hidden className="size-4" />
        </Button>
      </span>
    </li>
  );
}
