"""Small functions that the simulated writer knows, with the words that ask for each. Plain data."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Recipe:
    """A function, ready to be put together.

    Attributes:
        asked_by: Regular expression that a request for it matches.
        signature: Name, parameters and result, e.g. "mean(numbers: list[float]) -> float".
        doc: Its docstring.
        body: Its lines, indented as within the function.
        imports: Import statements that it needs.
        implements: The names in `algorithms.toml` that it may be asked for by.
    """

    asked_by: str
    signature: str
    doc: str
    body: str
    imports: tuple[str, ...] = ()
    implements: tuple[str, ...] = ()


RECIPES = (
    Recipe(
        r"\bpalindrom",
        "is_palindrome(text: str) -> bool",
        "Tell whether a text reads the same backwards, letters and digits only.",
        """\
letters = [letter.lower() for letter in text if letter.isalnum()]
return letters == letters[::-1]""",
    ),
    Recipe(
        r"\bfactorial",
        "factorial(number: int) -> int",
        "Return the product of all whole numbers up to a number.",
        """\
product = 1
for factor in range(2, number + 1):
    product *= factor
return product""",
        implements=("iteration",),
    ),
    Recipe(
        r"\bfibonacci",
        "fibonacci(count: int) -> list[int]",
        "Return the first Fibonacci numbers.",
        """\
sequence = []
current, following = 0, 1
for _ in range(count):
    sequence.append(current)
    current, following = following, current + following
return sequence""",
        implements=("iteration",),
    ),
    Recipe(
        r"\bprimes\b|\bprime numbers\b|\bsieve",
        "primes_up_to(limit: int) -> list[int]",
        "Return the prime numbers up to a limit.",
        """\
found = []
for number in range(2, limit + 1):
    if all(number % prime for prime in found):
        found.append(number)
return found""",
        implements=(
            "trial division",
            "iteration",
        ),
    ),
    Recipe(
        r"\bprime\b",
        "is_prime(number: int) -> bool",
        "Tell whether a number is prime.",
        """\
if number < 2:
    return False
largest = math.isqrt(number)
return all(number % divisor for divisor in range(2, largest + 1))""",
        ("import math",),
        implements=("trial division",),
    ),
    Recipe(
        r"\bgreatest common|\bgcd\b|\bcommon divisor",
        "common_divisor(first: int, second: int) -> int",
        "Return the greatest common divisor of two numbers.",
        """\
while second:
    first, second = second, first % second
return abs(first)""",
        implements=("Euclid's algorithm", "iteration"),
    ),
    Recipe(
        r"\bclamp|\bbetween (?:a |two )?(?:low|min|bounds|limits)|\blimits? a (?:number|value)",
        "clamp(value: float, low: float, high: float) -> float",
        "Return the number nearest to a value that is not outside of two limits.",
        """\
if low > high:
    low, high = high, low
return max(low, min(value, high))""",
    ),
    Recipe(
        r"\bmedian",
        "median(numbers: list[float]) -> float",
        "Return the number in the middle of some numbers.",
        """\
ordered = sorted(numbers)
middle = len(ordered) // 2
if len(ordered) % 2:
    return ordered[middle]
return (ordered[middle - 1] + ordered[middle]) / 2""",
    ),
    Recipe(
        r"\bmean\b|\baverage",
        "mean(numbers: list[float]) -> float",
        "Return the mean of some numbers, 0 for none.",
        """\
if not numbers:
    return 0.0
total = sum(numbers)
return total / len(numbers)""",
    ),
    Recipe(
        r"\bfizz ?buzz",
        "fizz_buzz(limit: int) -> list[str]",
        "Return the numbers up to a limit, with Fizz for those that 3 divides and Buzz for those that 5 divides.",
        """\
said = []
for number in range(1, limit + 1):
    word = "Fizz" * (number % 3 == 0) + "Buzz" * (number % 5 == 0)
    said.append(word or str(number))
return said""",
        implements=("iteration",),
    ),
    Recipe(
        r"\bleap year",
        "is_leap_year(year: int) -> bool",
        "Tell whether a year has a 29th of February.",
        """\
if year % 100 == 0:
    return year % 400 == 0
return year % 4 == 0""",
    ),
    Recipe(
        r"\bcelsius to fahrenheit|\bto fahrenheit",
        "to_fahrenheit(celsius: float) -> float",
        "Convert degrees Celsius to degrees Fahrenheit.",
        """\
degrees = celsius * 9 / 5
return degrees + 32""",
    ),
    Recipe(
        r"\bfahrenheit to celsius|\bto celsius|\bfahrenheit|\bcelsius",
        "to_celsius(fahrenheit: float) -> float",
        "Convert degrees Fahrenheit to degrees Celsius.",
        """\
degrees = fahrenheit - 32
return degrees * 5 / 9""",
    ),
    Recipe(
        r"\barea of a circle|\bcircle",
        "circle_area(radius: float) -> float",
        "Return the area of a circle.",
        """\
square = radius ** 2
return math.pi * square""",
        ("import math",),
    ),
    Recipe(
        r"\bflatten",
        "flatten(nested: list[list[object]]) -> list[object]",
        "Return the items of some lists in one list.",
        """\
items = []
for inner in nested:
    items.extend(inner)
return items""",
        implements=("iteration",),
    ),
    Recipe(
        r"\bduplicate|\bunique\b|\bonly once",
        "without_duplicates(items: list[object]) -> list[object]",
        "Return the items of a list, each once, in their order.",
        """\
kept = []
for item in items:
    if item not in kept:
        kept.append(item)
return kept""",
        implements=("iteration",),
    ),
    Recipe(
        r"\bchunk|\b(?:split|cut)\b.{0,200}\b(?:pieces|parts|groups|size)|\bbatch",
        "in_chunks(items: list[object], size: int) -> list[list[object]]",
        "Cut a list into pieces of a size; the last may be shorter.",
        """\
starts = range(0, len(items), max(1, size))
return [items[start:start + size] for start in starts]""",
    ),
    Recipe(
        r"\bmost (?:common|frequent)",
        "most_common(items: list[str]) -> str",
        "Return the item that there is most often.",
        """\
counted = Counter(items)
(winner, _), = counted.most_common(1)
return winner""",
        ("from collections import Counter",),
    ),
    Recipe(
        r"\bvowel",
        "count_vowels(text: str) -> int",
        "Count the vowels in a text.",
        """\
vowels = [letter for letter in text.lower() if letter in "aeiou"]
return len(vowels)""",
    ),
    Recipe(
        r"\bcount\w*\b.{0,200}\bwords|\bwords?\b.{0,200}\bcount|\bhow many words|\bword frequenc|\bhow often",
        "count_words(text: str) -> dict[str, int]",
        "Count how often each word is in a text.",
        """\
words = re.findall(r"[\\w']+", text.lower())
counts = {}
for word in words:
    counts[word] = counts.get(word, 0) + 1
return counts""",
        ("import re",),
        implements=("iteration",),
    ),
    Recipe(
        r"\brevers|\bbackwards",
        "reverse_text(text: str) -> str",
        "Return a text with its letters in reverse order.",
        """\
letters = list(text)
letters.reverse()
return "".join(letters)""",
    ),
    Recipe(
        r"\bcaesar|\brot ?13|\bcipher|\bencrypt",
        "shift_letters(text: str, steps: int) -> str",
        "Move each letter of a text some steps along the alphabet.",
        """\
alphabet = string.ascii_lowercase
moved = alphabet[steps % 26:] + alphabet[:steps % 26]
table = str.maketrans(alphabet, moved)
return text.lower().translate(table)""",
        ("import string",),
        implements=("Caesar cipher",),
    ),
    Recipe(
        r"\broman numeral",
        "to_roman(number: int) -> str",
        "Write a number in Roman numerals.",
        """\
values = (1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1)
signs = ("M", "CM", "D", "CD", "C", "XC", "L", "XL", "X", "IX", "V", "IV", "I")
numeral = ""
for value, sign in zip(values, signs):
    numeral += sign * (number // value)
    number %= value
return numeral""",
        implements=("iteration",),
    ),
    Recipe(
        r"\bbinary search",
        "find_sorted(items: list[int], wanted: int) -> int",
        "Return the place of a number in a sorted list, -1 if it is not there.",
        """\
place = bisect.bisect_left(items, wanted)
found = place < len(items) and items[place] == wanted
return place if found else -1""",
        ("import bisect",),
        implements=("binary search",),
    ),
    Recipe(
        r"\bsort",
        "sort_numbers(numbers: list[float]) -> list[float]",
        "Return some numbers in order, by inserting each where it belongs.",
        """\
ordered = []
for number in numbers:
    place = bisect.bisect(ordered, number)
    ordered.insert(place, number)
return ordered""",
        ("import bisect",),
        implements=(
            "insertion sort",
            "iteration",
        ),
    ),
    Recipe(
        r"\bdigits",
        "digit_sum(number: int) -> int",
        "Add up the digits of a number.",
        """\
digits = [int(digit) for digit in str(abs(number))]
return sum(digits)""",
    ),
    Recipe(
        r"\bdice|\bdie\b|\broll",
        "roll_dice(count: int) -> list[int]",
        "Roll some dice.",
        """\
rolls = [random.randint(1, 6) for _ in range(count)]
return rolls""",
        ("import random",),
    ),
)
