// Follows the system between light and dark, and shows the description that this same server gives.
const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();

globalThis.SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  // Its own default would send the description to a validator on the internet.
  validatorUrl: null,
  persistAuthorization: false,
  defaultModelsExpandDepth: 0,
  docExpansion: 'list',
});
