import { queryClient, setRightsChangedHandler } from '../lib/query-client.ts';
import { sessionQuery } from '../lib/session.ts';

/** Where the server refuses what a page still offers, the person's place in an account has changed: it is read again. */
export function followRightsChange(): void {
  setRightsChangedHandler(() => {
    void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey }, { cancelRefetch: false });
  });
}
