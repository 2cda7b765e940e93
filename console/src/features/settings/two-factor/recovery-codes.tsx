import { Download, Printer } from 'lucide-react';
import { Button } from '../../../components/ui/button.tsx';
import { CopyButton } from '../../../components/ui/copy-button.tsx';
import { Note } from '../../../components/ui/note.tsx';
import { useSession } from '../../../lib/session.ts';

/** Shows recovery codes once, to copy, download or print. */
export function RecoveryCodes({ codes }: { codes: string[] }) {
  const { user } = useSession();
  const text = `Recovery codes of ${user?.email ?? ''} for Tollgate at ${location.origin}\nEach code works once.\n\n${codes.join('\n')}\n`;
  return (
    <>
      <Note tone="warn">
        Save these codes where you can find them without your phone. Each code works once instead of an
        authenticator code. They are not shown again.
      </Note>
      <div data-printed>
        <p className="hidden print:mb-4 print:block">
          Recovery codes of {user?.email} for Tollgate at {location.origin}. Each code works once.
        </p>
        <ol
          aria-label="Recovery codes"
          className="grid grid-cols-2 gap-x-6 gap-y-1 rounded-lg bg-sunken px-4 py-3 font-mono text-[13.5px]/[22px] max-[340px]:grid-cols-1"
        >
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ol>
      </div>
      <div className="flex flex-wrap gap-2">
        <CopyButton size="sm" text={text} label="Copy" />
        <Button size="sm" onClick={() => saveAsFile('tollgate-recovery-codes.txt', text)}>
          <Download aria-hidden className="size-[15px]" />
          Download
        </Button>
        <Button size="sm" onClick={() => print()}>
          <Printer aria-hidden className="size-[15px]" />
          Print
        </Button>
      </div>
    </>
  );
}

function saveAsFile(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
