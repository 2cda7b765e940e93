import { useState } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { formatCount } from '../../../lib/format/count.ts';
import { returnFocusTo } from '../../../lib/return-focus.ts';
import { EditRouteDialog } from './edit-route-dialog.tsx';
import type { PlacedRoute } from './route-order.ts';

/** The context window and the cost of a route, as far as they differ from those of the model. */
export function describeRouteTerms({ contextTokens, costMultiplier }: PlacedRoute): string {
  return [
    ...(contextTokens === null ? [] : [`Context: ${formatCount(contextTokens)} tokens`]),
    ...(costMultiplier === '1' ? [] : [`Cost: × ${costMultiplier}`]),
  ].join(' · ');
}

/** Opens the dialog for the context window and the cost of a route. */
export function EditRouteButton({ modelId, route }: { modelId: string; route: PlacedRoute }) {
  const [opener, setOpener] = useState<Element | null>(null);
  return (
    <>
      <Button
        size="sm"
        variant="ghost"
        aria-label={`Edit context and cost of ${route.providerName}`}
        onClick={(event) => setOpener(event.currentTarget)}
      >
        Context and cost…
      </Button>
      {opener !== null && (
        <EditRouteDialog
          modelId={modelId}
          route={route}
          onClose={() => setOpener(null)}
          onCloseAutoFocus={returnFocusTo(opener)}
        />
      )}
    </>
  );
}
