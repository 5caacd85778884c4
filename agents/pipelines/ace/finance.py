"""Families of questions from everyday finance. Only `questions` may know them: they would give the formulas away."""

from __future__ import annotations

from agents.pipelines.ace.family import Draw, Family
from agents.pipelines.ace.rules import COUNTS, MONEY, PERCENTAGES, RATIOS


def money(low: int, high: int, step: str = "10") -> Draw:
    """An amount of money."""
    return Draw(str(low), str(high), step, "€")


def percent(low: str, high: str, step: str = "0.5") -> Draw:
    """A rate."""
    return Draw(low, high, step, "%")


FINANCE = (
    Family(
        "current ratio",
        RATIOS,
        "current assets / current liabilities",
        {"current assets": money(1200, 9900), "current liabilities": money(600, 6000)},
        """
            A bakery has current assets of {current assets} and current liabilities of {current liabilities}.
            What is the current ratio?

            What is the current ratio if current assets are {current assets} and current liabilities are
            {current liabilities}?

            Current assets: {current assets}. Current liabilities: {current liabilities}. Work out the current
            ratio.
        """,
        exact=True,
    ),
    Family(
        "quick ratio",
        RATIOS,
        "(current assets - inventory) / current liabilities",
        {"current assets": money(3000, 9900), "inventory": money(400, 2600), "current liabilities": money(900, 6000)},
        """
            A florist has current assets of {current assets}, an inventory of {inventory} and current
            liabilities of {current liabilities}. How high is the quick ratio?

            What is the quick ratio when current assets are {current assets}, the inventory is {inventory} and
            current liabilities are {current liabilities}?
        """,
    ),
    Family(
        "gross profit",
        MONEY,
        "revenue - cost of goods sold",
        {"revenue": money(5000, 90000), "cost of goods sold": money(1000, 60000)},
        """
            A toy shop reports a revenue of {revenue} and a cost of goods sold of {cost of goods sold}. How much
            is the gross profit?

            Calculate the gross profit. Revenue: {revenue}. Cost of goods sold: {cost of goods sold}.

            The revenue was {revenue} and the cost of goods sold was {cost of goods sold}. What is the gross
            profit?
        """,
        exact=True,
    ),
    Family(
        "total cost",
        MONEY,
        "material cost + labour cost",
        {"material cost": money(200, 4000), "labour cost": money(300, 5000)},
        """
            A table has a material cost of {material cost} and a labour cost of {labour cost}. How much is the total cost?

            The material cost is {material cost} and the labour cost is {labour cost}. What is the total cost?
        """,
    ),
    Family(
        "profit margin",
        PERCENTAGES,
        "net income / revenue",
        {"revenue": money(8000, 90000), "net income": money(900, 7500)},
        """
            A cinema has a revenue of {revenue} and a net income of {net income}. What is the profit margin in
            percent?

            Revenue is {revenue}, net income is {net income}. Find the profit margin as a percentage.

            What is the profit margin in percent if revenue is {revenue} and net income is {net income}?
        """,
        exact=True,
    ),
    Family(
        "gross margin",
        PERCENTAGES,
        "(revenue - cost of goods sold) / revenue",
        {"revenue": money(20000, 90000), "cost of goods sold": money(6000, 19000)},
        """
            A brewery reports a revenue of {revenue} and a cost of goods sold of {cost of goods sold}. What is
            the gross margin in percent?

            Give the gross margin as a percentage: revenue of {revenue}, cost of goods sold of {cost of goods
            sold}.
        """,
    ),
    Family(
        "simple interest",
        MONEY,
        "principal * interest rate * years",
        {"principal": money(1000, 9800, "50"), "interest rate": percent("1.5", "9"), "years": Draw("2", "9")},
        """
            A principal of {principal} is lent at an interest rate of {interest rate} for {years} years. How
            much is the simple interest?

            What is the simple interest on a principal of {principal} with an interest rate of {interest rate}
            over {years} years?
        """,
        exact=True,
    ),
    Family(
        "final balance",
        MONEY,
        "principal * (1 + interest rate)^years",
        {"principal": money(1000, 9800, "50"), "interest rate": percent("1.5", "8"), "years": Draw("2", "9")},
        """
            A principal of {principal} stays in an account for {years} years at an interest rate of {interest
            rate}, and the interest stays there too. What is the final balance?

            Interest is added every year: principal {principal}, interest rate {interest rate}, {years} years.
            What is the final balance?
        """,
    ),
    Family(
        "break-even units",
        COUNTS,
        "fixed costs / (price per unit - variable cost)",
        {"fixed costs": money(3600, 36000, "360"), "price per unit": money(30, 60, "1"), "variable cost": money(8, 26, "1")},
        """
            A workshop has fixed costs of {fixed costs}, a price per unit of {price per unit} and a variable
            cost of {variable cost}. How many break-even units are there?

            Fixed costs amount to {fixed costs}, the price per unit is {price per unit} and the variable cost is
            {variable cost}. How many break-even units does it take?
        """,
        exact=True,
    ),
    Family(
        "discounted price",
        MONEY,
        "list price * (1 - discount)",
        {"list price": money(20, 900, "2.5"), "discount": percent("5", "45", "2.5")},
        """
            A coat has a list price of {list price}, and there is a {discount} discount. What is the discounted
            price?

            The list price is {list price}, the discount is {discount}. How much is the discounted price?

            With a discount of {discount} on a list price of {list price}, what is the discounted price?
        """,
        exact=True,
    ),
    Family(
        "gross price",
        MONEY,
        "net price * (1 + VAT rate)",
        {"net price": money(15, 950, "5"), "VAT rate": percent("5", "25", "1")},
        """
            A lamp has a net price of {net price}. The VAT rate is {VAT rate}. What is the gross price?

            What is the gross price if the net price is {net price} and the VAT rate is {VAT rate}?
        """,
    ),
    Family(
        "return on equity",
        PERCENTAGES,
        "net income / equity",
        {"net income": money(500, 9000), "equity": money(12000, 95000)},
        """
            A dairy has a net income of {net income} and an equity of {equity}. What is the return on equity in
            percent?

            Work out the return on equity as a percentage: equity {equity}, net income {net income}.
        """,
    ),
    Family(
        "debt to equity ratio",
        RATIOS,
        "total debt / equity",
        {"total debt": money(4000, 60000), "equity": money(9000, 60000)},
        """
            A hotel has a total debt of {total debt} and an equity of {equity}. What is its debt to equity
            ratio?

            What is the debt to equity ratio if the total debt is {total debt} and the equity is {equity}?
        """,
    ),
    Family(
        "price to earnings ratio",
        RATIOS,
        "share price / earnings per share",
        {"share price": money(12, 240, "0.5"), "earnings per share": money(2, 11, "0.25")},
        """
            The share price is {share price} and the earnings per share are {earnings per share}. How high is
            the price to earnings ratio?

            A share price of {share price}, earnings per share of {earnings per share}: what is the price to
            earnings ratio?
        """,
    ),
    Family(
        "weekly pay",
        MONEY,
        "working time * hourly wage",
        {"working time": Draw("12", "42", "0.5", "h"), "hourly wage": money(13, 40, "0.25")},
        """
            A cook has a working time of {working time} and an hourly wage of {hourly wage}. What is the weekly pay?

            The working time is {working time} and the hourly wage is {hourly wage}. How much is the weekly pay?
        """,
    ),
    Family(
        "share per person",
        MONEY,
        "(bill + tip) / persons",
        {"bill": money(60, 400, "1.5"), "tip": money(6, 40, "1"), "persons": Draw("3", "9")},
        """
            A bill of {bill} and a tip of {tip} are split among {persons} persons. What is the share per person?

            The bill is {bill}, the tip is {tip}, and there are {persons} persons. How much is the share per
            person?
        """,
    ),
    Family(
        "commission",
        MONEY,
        "sales * commission rate",
        {"sales": money(4000, 60000, "100"), "commission rate": percent("2", "12")},
        """
            An agent has sales of {sales} and a commission rate of {commission rate}. How much is the
            commission?

            Determine the commission for sales of {sales} with a commission rate of {commission rate}.
        """,
    ),
    Family(
        "price increase",
        PERCENTAGES,
        "(new price - old price) / old price",
        {"old price": money(40, 300, "1"), "new price": money(305, 460, "1")},
        """
            The old price was {old price} and the new price is {new price}. What is the price increase in
            percent?

            State the price increase as a percentage if the old price is {old price} and the new price is {new
            price}.
        """,
        exact=True,
    ),
    Family(
        "monthly instalment",
        MONEY,
        "(price - down payment) / months",
        {"price": money(1500, 9500, "50"), "down payment": money(200, 1200, "50"), "months": Draw("10", "48")},
        """
            A piano has a price of {price}. After a down payment of {down payment}, the rest is paid without
            interest in {months} months. How much is the monthly instalment?

            What is the monthly instalment if the price is {price}, the down payment is {down payment} and the
            rest is paid over {months} months?
        """,
    ),
    Family(
        "yearly depreciation",
        MONEY,
        "(purchase price - residual value) / years",
        {"purchase price": money(9000, 60000, "100"), "residual value": money(500, 6000, "100"), "years": Draw("4", "14")},
        """
            A van has a purchase price of {purchase price} and a residual value of {residual value} after
            {years} years. What is the yearly depreciation?

            The purchase price is {purchase price}, the residual value is {residual value}, in use for {years}
            years: how much is the yearly depreciation?
        """,
    ),
    Family(
        "working capital",
        MONEY,
        "current assets - current liabilities",
        {"current assets": money(5000, 60000), "current liabilities": money(1000, 30000)},
        """
            A printer has current assets of {current assets} and current liabilities of {current liabilities}.
            What is the working capital?

            What is the working capital with current assets of {current assets} and current liabilities of
            {current liabilities}?
        """,
    ),
)
