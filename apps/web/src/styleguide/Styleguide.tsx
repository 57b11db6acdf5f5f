/** Shows all tokens and components, in development. */
export function Styleguide() {
  return <main>Styleguide</main>
}
