import type { UsageReport } from '../../lib/trpc.ts';
import type { Grouping } from './search.ts';

const STATUS_NAMES: Record<string, string> = {
  succeeded: 'Succeeded',
  failed: 'Failed',
  left: 'Client disconnected or cancelled',
};

/** Name of a group. @param id null: all other groups */
export function nameGroup(report: UsageReport, grouping: Grouping, id: string | null): string {
  if (id === null) return 'All others';
  switch (grouping) {
    case 'status':
      return STATUS_NAMES[id] ?? id;
    case 'model':
      return id === '' ? 'No model' : id;
    case 'tag':
      return id === '' ? 'No tag' : id;
    case 'key':
      return report.groups.find((group) => group.id === id)?.name ?? id;
  }
}
