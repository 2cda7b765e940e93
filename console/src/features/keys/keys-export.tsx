import { useSearch } from '@tanstack/react-router';
import { ExportMenu } from '../../components/layouts/export-menu.tsx';
import { visitorTimeZone } from '../../lib/format/time-zone.ts';
import { exportPath } from '../../lib/paths.ts';
import { toKeyQuery } from './search.ts';

/** The keys of the list as a file, newest first. */
export function KeysExport({ accountId }: { accountId: string }) {
  const { sort: _sort, isAscending: _isAscending, ...filter } = toKeyQuery(useSearch({ from: '/app/keys' }));
  const query = { accountId, ...filter, zone: visitorTimeZone() };
  return <ExportMenu getHref={(format) => exportPath('keys', format, query)} />;
}
