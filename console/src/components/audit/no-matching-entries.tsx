import { Link } from '@tanstack/react-router';
import { ScrollText } from 'lucide-react';
import type { paths } from '../../lib/paths.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';

/** An audit log whose filters match nothing. @param path the log without filters */
export function NoMatchingEntries({ path }: { path: typeof paths.audit | typeof paths.operatorAudit }) {
  return (
    <EmptyState
      icon={ScrollText}
      title="No matching entries"
      action={
        <Button asChild>
          <Link to={path}>Clear filters</Link>
        </Button>
      }
    >
      Change or clear the filters to see more.
    </EmptyState>
  );
}
