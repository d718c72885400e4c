// The pictures of the README.
export async function pictures() {}
