import { Link } from '@tanstack/react-router';
import { paths } from '../../../lib/paths.ts';

/** The tags of a key. Each links to the keys with that tag. */
export function TagChips({ tags }: { tags: string[] }) {
  if (tags.length === 0) return null;
  return (
    <ul aria-label="Tags" className="mt-1 flex flex-wrap gap-1">
      {tags.map((tag) => (
        <li key={tag} className="max-w-full">
          <Link
            to={paths.keys}
            search={{ tag }}
            className="relative inline-flex h-5 max-w-full items-center rounded-full border px-2 text-xs text-ink-2 after:absolute after:-inset-y-1.5 hover:border-ink-3 hover:text-ink"
          >
            <span className="truncate">{tag}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
