import { X } from 'lucide-react';
import { Button } from '../../../components/ui/button.tsx';

interface SessionFilterProps {
  session: string;
  onClear: () => void;
}

/** The session whose requests are shown. Sessions are chosen on their own page. */
export function SessionFilter({ session, onClear }: SessionFilterProps) {
  return (
    <Button
      aria-label={`Remove session filter: ${session}`}
      title={session}
      onClick={onClear}
      className="justify-between gap-1 px-2.5"
    >
      <span className="truncate">Session {session}</span>
      <X aria-hidden className="size-3.5 shrink-0" />
    </Button>
  );
}
