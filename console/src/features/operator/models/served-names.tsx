import { useState } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { formatPlural } from '../../../lib/format/count.ts';
import { returnFocusTo } from '../../../lib/return-focus.ts';
import type { PlacedRoute } from './route-order.ts';
import { describeRouteTerms, EditRouteButton } from './route-terms.tsx';
import { ServedNamesDialog } from './served-names-dialog.tsx';

/** The served names and terms of a route, and its responses whose price did not match. */
export function ServedNames({ modelId, route }: { modelId: string; route: PlacedRoute }) {
  const [opener, setOpener] = useState<Element | null>(null);
  const { servedNames, mismatches, providerName } = route;
  return (
    <div className="mt-1 text-[12.5px] text-ink-3">
      {servedNames.length > 0 && <div className="truncate font-mono">Served as {servedNames.join(', ')}</div>}
      <div>{describeRouteTerms(route)}</div>
      {mismatches !== null && (
        <div className="text-warn">
          {formatPlural(mismatches.requests, 'price mismatch', 'price mismatches')} in 7 days, for example{' '}
          {mismatches.example}. If it is the same model, add its name to the served names.
        </div>
      )}
      <div className="-ml-2.5 flex flex-wrap">
        <Button
          size="sm"
          variant="ghost"
          aria-label={`Edit served names of ${providerName}`}
          onClick={(event) => setOpener(event.currentTarget)}
        >
          Served names…
        </Button>
        <EditRouteButton modelId={modelId} route={route} />
      </div>
      {opener !== null && (
        <ServedNamesDialog
          modelId={modelId}
          route={route}
          onClose={() => setOpener(null)}
          onCloseAutoFocus={returnFocusTo(opener)}
        />
      )}
    </div>
  );
}
