// Requests to the server of this page; an answer that is no success becomes an Error.

async function ask(path, options = {}) {
  const answer = await fetch(path, { credentials: "same-origin", ...options }).catch(() => {
    throw new Error("the server does not answer; start `scrapy neardup review` again");
  });
  const value = await answer.json().catch(() => ({ error: `the server answered ${answer.status}` }));
  if (!answer.ok) throw new Error(value.error);
  return value;
}

const post = (path, body) =>
  ask(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });

export const page = (words) => ask(`/api/records?${new URLSearchParams(words)}`);
export const record = (number) => ask(`/api/records/${number}`);
export const standing = () => ask("/api/standing");
export const judge = (number, verdict) => post(`/api/records/${number}/judgement`, { verdict });
export const restore = (count) => post("/api/restore", { count });
